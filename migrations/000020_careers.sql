-- The careers site of each workspace: /careers/{slug}. A slug belongs to its workspace for ever: one that was replaced
-- leads to the current one.
create table career_slugs (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 60),
  workspace_id handle not null references workspaces (id) on delete cascade
);
create index career_slugs_workspace on career_slugs (workspace_id);

create table career_sites (
  workspace_id handle primary key references workspaces (id) on delete cascade,
  slug text not null unique references career_slugs (slug),
  enabled boolean not null default true,
  display_name text,
  headline text,
  introduction_md text,
  accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
  logo_blob_key text,
  logo_mime text,
  website_url text,
  privacy_url text,
  country text check (country ~ '^[A-Z]{2}$'),
  confirmations jsonb not null default '{}',
  updated_at timestamptz(3) not null default app_now(),
  check ((logo_blob_key is null) = (logo_mime is null))
);
comment on column career_sites.display_name is 'null: the name of the workspace';
comment on column career_sites.country is 'ISO 3166-1 alpha-2; of locations that name no country';
comment on column career_sites.confirmations is 'by language: subject and body of the email after an application; a language without them uses ours';

-- Workspaces that exist get a slug of their name.
with named as (
  select id, left(coalesce(nullif(trim(both '-' from
      regexp_replace(lower(name), '[^a-z0-9]+', '-', 'g')), ''), 'company'), 50) as base, created_at
  from workspaces
), numbered as (
  select id, rtrim(base, '-') as base, row_number() over (partition by rtrim(base, '-') order by created_at, id) as n
  from named
), free as (
  -- a numbered name must not meet a name that ends in this number
  select id, case when n = 1 then base else base || '-' || n || '-' || lower(right(id, 6)) end as slug from numbered
), slugs as (
  insert into career_slugs (slug, workspace_id)
  select regexp_replace(slug, '[^a-z0-9-]', '', 'g'), id from free returning slug, workspace_id
)
insert into career_sites (workspace_id, slug) select workspace_id, slug from slugs;

-- A question is shown only after a certain answer to another; the text of a question has a version, which a consent names.
alter table form_fields add column version integer not null default 1, add column condition jsonb;
comment on column form_fields.condition is 'field_id and values: shown if that field has one of these answers; null: always';

-- What candidates alone can give on the public form. Consents and pre-screen answers are stored with the text that was shown.
alter table application_private_answers add column prescreen jsonb not null default '{}';
update application_private_answers set consents = (
  select coalesce(jsonb_object_agg(key, jsonb_build_object('accepted', value)), '{}') from jsonb_each(consents))
  where consents <> '{}';
comment on column application_private_answers.consents is 'by field: accepted, version, label, help_text, language, at';
comment on column application_private_answers.prescreen is 'by question: question, type, answer';

-- Files that answer questions of a form; the résumé has a table of its own.
create table application_files (
  workspace_id handle not null,
  id uuid not null default gen_random_uuid(),
  application_id handle not null,
  field_id text not null,
  filename text not null,
  mime text not null,
  bytes integer not null,
  blob_key text not null,
  created_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id),
  unique (workspace_id, application_id, field_id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);

alter table applications add column withdrawal_reason text;

-- Uploads of the public form are counted apart: strangers cannot use up the uploads of partners.
alter table uploads add column public_form boolean not null default false;

-- Emails to candidates, written in the transaction of their cause and sent by a worker.
create table candidate_mails (
  workspace_id handle not null references workspaces (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('confirmation', 'already_applied', 'access', 'email_change', 'email_changed')),
  address text not null,
  application_id handle,
  applicant_id handle,
  language text not null,
  attempt integer not null default 0,
  due_at timestamptz(3) default app_now(),
  leased_until timestamptz(3),
  sent_at timestamptz(3),
  created_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id)
);
comment on column candidate_mails.address is 'access: the key of what was typed, looked up when the email is sent; email_change: the new address; email_changed: the previous one; otherwise the applicant''s own counts';
comment on column candidate_mails.due_at is 'the next attempt; null: sent or given up';
create index candidate_mails_due on candidate_mails (due_at) where due_at is not null;
create index candidate_mails_applicant on candidate_mails (workspace_id, applicant_id) where applicant_id is not null;

-- Emailed links of candidates, and the sessions they begin. Only hashes of tokens are stored.
create table candidate_links (
  workspace_id handle not null,
  token_hash text not null,
  applicant_id handle not null,
  purpose text not null check (purpose in ('confirmation', 'access', 'email_change')),
  new_address text,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (workspace_id, token_hash),
  foreign key (workspace_id, applicant_id) references applicants (workspace_id, id) on delete cascade,
  check ((purpose = 'email_change') = (new_address is not null))
);
create index candidate_links_expiry on candidate_links (expires_at);

create table candidate_sessions (
  workspace_id handle not null,
  token_hash text not null,
  id uuid not null default gen_random_uuid(),
  applicant_id handle not null,
  proof text not null check (proof in ('confirmation', 'access')),
  created_at timestamptz(3) not null default app_now(),
  expires_at timestamptz(3) not null,
  primary key (workspace_id, token_hash),
  foreign key (workspace_id, applicant_id) references applicants (workspace_id, id) on delete cascade
);
comment on column candidate_sessions.proof is 'the purpose of the link: one that was asked for proves who has the mailbox now';
create index candidate_sessions_expiry on candidate_sessions (expires_at);

-- Solved challenges of application forms: each is accepted once.
create table spent_challenges (
  workspace_id handle not null references workspaces (id) on delete cascade,
  hash text not null,
  expires_at timestamptz(3) not null,
  primary key (workspace_id, hash)
);
create index spent_challenges_expiry on spent_challenges (expires_at);
