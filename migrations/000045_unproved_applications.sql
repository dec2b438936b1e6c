-- An address typed into the public form proves nothing. What came with it is unproved until a link that was mailed to the
-- address was used; the person who uses it chooses between the forms that were sent.
alter table applicants add column unproved boolean not null default false;
comment on column applicants.unproved is 'the details were typed into the public form, and no one has used a mailed link since';
alter table applications add column unproved boolean not null default false;
comment on column applications.unproved is 'it came from the public form, and no one has used a mailed link since';

-- Forms of an address that had applied before, with the application that they are about.
create table pending_submissions (
  workspace_id handle not null,
  id uuid not null default gen_random_uuid(),
  application_id handle not null,
  submitted_at timestamptz(3) not null default app_now(),
  details jsonb not null,
  content jsonb,
  files jsonb not null default '[]',
  primary key (workspace_id, id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
create index pending_submissions_application on pending_submissions (workspace_id, application_id, submitted_at, id);
comment on column pending_submissions.details is 'first_name, last_name, phone, linkedin_url';
comment on column pending_submissions.content is
  'answers, equal_opportunity, consents, prescreen, voice_screening_opted_out, screening_phone; null: the application has them, and only the details wait';
comment on column pending_submissions.files is 'id, field_id (null: the résumé), filename, mime, bytes, blob_key of each';
