-- Tests and checks of candidates that vendors carry out: packages, which a vendor offers, and orders of them.
create table packages (
  workspace_id handle not null,
  id handle not null,
  vendor_id handle not null,
  vendor_name text not null,
  external_id text not null,
  kind text not null,
  name text not null,
  description text,
  duration_minutes integer,
  languages jsonb not null default '[]',
  countries jsonb not null default '[]',
  info_url text,
  privacy_url text not null,
  invitation text not null check (invitation in ('service', 'vendor')),
  candidate_host text,
  shares jsonb not null default '[]',
  completion_days integer not null default 14 check (completion_days between 1 and 90),
  status text not null check (status in ('pending', 'active', 'withdrawn')),
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspaces (id) on delete cascade,
  unique (workspace_id, vendor_id, external_id)
);
create index packages_updated on packages (workspace_id, updated_at, id);
comment on column packages.vendor_id is 'the handle of the key, or of the installation of an app, that published it';
comment on column packages.vendor_name is 'the name of the vendor when the package was last published';
comment on column packages.candidate_host is 'the DNS name of the links that candidates open; null: the vendor invites';
comment on column packages.shares is 'of email, phone and resume: what the vendor can read of a candidate';

create table orders (
  workspace_id handle not null,
  id handle not null,
  application_id handle not null,
  applicant_id handle,
  job_id handle not null,
  stage_id handle,
  package_id handle not null,
  package_name text not null,
  kind text not null,
  vendor_id handle not null,
  vendor_name text not null,
  shares jsonb not null,
  candidate_host text,
  completion_days integer not null,
  status text not null default 'requested'
    check (status in ('requested', 'invited', 'in_progress', 'completed', 'declined', 'failed', 'expired', 'canceled')),
  waiting_on text check (waiting_on in ('vendor', 'candidate', 'workspace')),
  status_reason_code text,
  status_reason_message text,
  placed_by_object text not null check (placed_by_object in ('user', 'credential', 'stage_rule')),
  placed_by_id handle not null,
  source_system text,
  source_external_id text,
  external_id text,
  external_url text,
  candidate_url text,
  attempt integer not null default 1,
  previous_order_id handle,
  invitation_by text not null check (invitation_by in ('service', 'vendor', 'caller')),
  invitation_sent_at timestamptz(3),
  reminders integer not null default 0,
  last_reminded_at timestamptz(3),
  requested_at timestamptz(3) not null default app_now(),
  accepted_at timestamptz(3),
  started_at timestamptz(3),
  completed_at timestamptz(3),
  due_at timestamptz(3),
  final_at timestamptz(3),
  next_check_at timestamptz(3),
  result_received boolean not null default false,
  updated_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade,
  foreign key (workspace_id, package_id) references packages (workspace_id, id)
);
create index orders_updated on orders (workspace_id, updated_at, id);
create index orders_application on orders (workspace_id, application_id, requested_at, id);
create index orders_vendor on orders (workspace_id, vendor_id, updated_at, id);
create index orders_package on orders (workspace_id, package_id, updated_at, id);
create index orders_previous on orders (workspace_id, previous_order_id) where previous_order_id is not null;
create index orders_job on orders (workspace_id, job_id, updated_at, id);
create index orders_open_of_applicant on orders (workspace_id, applicant_id)
  where status in ('requested', 'invited', 'in_progress');
create index orders_next_check on orders (next_check_at) where next_check_at is not null;
-- Open orders of the vendor that the service plays in test workspaces: a worker looks for them.
create index orders_of_test_vendor on orders (requested_at)
  where vendor_id = 'pk_0000000000testvend0r' and status in ('requested', 'invited', 'in_progress');
-- what makes every call safe to repeat
create unique index orders_open on orders (workspace_id, application_id, package_id)
  where status in ('requested', 'invited', 'in_progress');
create unique index orders_source on orders (workspace_id, source_system, source_external_id)
  where source_system is not null;
create unique index orders_external_id on orders (workspace_id, vendor_id, external_id) where external_id is not null;
comment on column orders.shares is 'as the package said when it was ordered: what the vendor can read';
comment on column orders.candidate_host is 'as the package said when it was ordered: the host of candidate_url; null: the vendor invites';
comment on column orders.candidate_url is 'opens the test; only keys with orders:write and the candidate see it';
comment on column orders.next_check_at is 'when a worker looks at it next: for a vendor that does not respond, a reminder, or the due date; null: never';
comment on column orders.final_at is 'when it became completed, declined, failed, expired or canceled';

create table order_results (
  workspace_id handle not null,
  order_id handle not null,
  revision integer not null default 1,
  fingerprint text not null,
  outcome text not null,
  score_value double precision,
  score_min double precision,
  score_max double precision,
  score_passing double precision,
  score_unit text,
  score_pct integer,
  sections jsonb not null default '[]',
  summary text,
  late boolean not null default false,
  completed_at timestamptz(3) not null,
  received_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, order_id),
  foreign key (workspace_id, order_id) references orders (workspace_id, id) on delete cascade
);
comment on column order_results.fingerprint is 'a hash of what the vendor sent: the same again changes nothing';

create table order_reports (
  workspace_id handle not null,
  id uuid not null,
  order_id handle not null,
  upload_id handle not null,
  filename text not null,
  mime text not null,
  bytes integer not null,
  blob_key text not null,
  created_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, order_id) references orders (workspace_id, id) on delete cascade
);
create index order_reports_order on order_reports (workspace_id, order_id, created_at, id);

-- When a candidate enters a stage, these packages are ordered.
alter table pipeline_stages add column order_package_ids jsonb not null default '[]';
comment on column pipeline_stages.order_package_ids is 'packages that are ordered when a candidate enters the stage';

-- The vendor that alone may read an event with orders:fulfill; null: no vendor.
alter table outbox add column audience handle;
alter table events add column audience handle;

-- A file that is reserved for the report of an order can be used for that order alone.
alter table uploads add column order_id handle;

-- Invitations and reminders of checks.
alter table candidate_mails add column order_id handle;
alter table candidate_mails drop constraint candidate_mails_kind_check;
alter table candidate_mails add constraint candidate_mails_kind_check check (kind in ('confirmation', 'already_applied',
  'access', 'email_change', 'email_changed', 'check_invitation', 'check_reminder', 'check_canceled')) not valid;
alter table candidate_mails validate constraint candidate_mails_kind_check;

-- After an adverse result a person who rejects notes when the candidate was told.
alter table applications add column notice_given_on date;
comment on column applications.notice_given_on is 'internal: when the candidate was given notice of an adverse result, as the person who rejected them said';
