-- Erasures and stops that members asked for on the page of a candidate. Until they are due they can be taken back.
create table planned_erasures (
  workspace_id handle not null,
  applicant_id handle not null,
  reason text not null check (reason in ('erasure_request', 'stop_processing', 'legal_request')),
  reach text not null,
  requested_by handle not null,
  requested_at timestamptz(3) not null default app_now(),
  due_at timestamptz(3) not null,
  primary key (workspace_id, applicant_id),
  foreign key (workspace_id, applicant_id) references applicants (workspace_id, id) on delete cascade
);
create index planned_erasures_due on planned_erasures (due_at);
comment on column planned_erasures.reach is 'the workspace, or installation';

-- What members did with all data of a person: sent it to them, or downloaded it.
create table applicant_requests (
  workspace_id handle not null,
  id uuid not null default gen_random_uuid(),
  applicant_id handle not null,
  kind text not null check (kind in ('data_sent', 'data_downloaded')),
  user_id handle not null,
  at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, applicant_id) references applicants (workspace_id, id) on delete cascade
);
create index applicant_requests_applicant on applicant_requests (workspace_id, applicant_id);

-- The email with the link to everything that is stored about the person.
alter table candidate_mails drop constraint candidate_mails_kind_check;
alter table candidate_mails add constraint candidate_mails_kind_check check (kind in ('confirmation', 'already_applied',
  'access', 'email_change', 'email_changed', 'check_invitation', 'check_reminder', 'check_canceled', 'interview_times',
  'interview_invitation', 'interview_canceled', 'data_copy')) not valid;
alter table candidate_mails validate constraint candidate_mails_kind_check;
