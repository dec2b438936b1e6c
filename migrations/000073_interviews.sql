-- Interviews of candidates with members: who, when and where, and what the calendars of everyone were told.
create table interviews (
  workspace_id handle not null,
  id uuid not null,
  application_id handle not null,
  job_id handle not null,
  stage_id handle not null,
  state text not null check (state in ('proposed', 'scheduled', 'no_show', 'canceled')),
  kind text not null check (kind in ('onsite', 'video', 'phone')),
  starts_at timestamptz(3),
  ends_at timestamptz(3),
  time_zone text not null,
  candidate_time_zone text,
  organizer_id handle not null,
  invites_candidate boolean not null,
  offered_until timestamptz(3),
  picked_at timestamptz(3),
  answer text check (answer in ('none_fits', 'move', 'canceled')),
  answered_at timestamptz(3),
  asked_to_move boolean not null default false,
  sequence integer not null default 0,
  details_sealed bytea not null,
  answer_sealed bytea,
  feedback_asked_at timestamptz(3),
  created_at timestamptz(3) not null default app_now(),
  updated_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade,
  check ((starts_at is null) = (ends_at is null)),
  check (state not in ('scheduled', 'no_show') or starts_at is not null)
);
create index interviews_application on interviews (workspace_id, application_id, created_at, id);
create index interviews_ahead on interviews (workspace_id, application_id, starts_at) where state = 'scheduled';
-- a worker asks for scorecards when they have ended
create index interviews_ended on interviews (ends_at) where state = 'scheduled' and feedback_asked_at is null;
comment on column interviews.state is 'what was decided; responses derive held and expired from it and the time';
comment on column interviews.candidate_time_zone is 'that the candidate chose on their page; null: they have not chosen a time there';
comment on column interviews.offered_until is 'until then the candidate can choose one of the offered times; null: none were offered';
comment on column interviews.picked_at is 'when the candidate chose the time themselves; null: the team did';
comment on column interviews.answer is 'what the candidate last said on their page, until a member has answered it';
comment on column interviews.asked_to_move is 'the candidate has asked once for another time';
comment on column interviews.sequence is 'of the calendar entry: one more for each change of time, place or link, and for a cancellation';
comment on column interviews.details_sealed is 'title, place, link, the text for the candidate and the internal one, sealed as JSON';
comment on column interviews.answer_sealed is 'the words of the candidate about the answer, sealed';

create table interview_people (
  workspace_id handle not null,
  interview_id uuid not null,
  user_id handle not null,
  position integer not null,
  primary key (workspace_id, interview_id, user_id),
  foreign key (workspace_id, interview_id) references interviews (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);
create index interview_people_user on interview_people (workspace_id, user_id);

create table interview_times (
  workspace_id handle not null,
  interview_id uuid not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  primary key (workspace_id, interview_id, starts_at),
  foreign key (workspace_id, interview_id) references interviews (workspace_id, id) on delete cascade
);

-- When members can usually be planned for, in their own time zone. No row: on weekdays from 9:00 to 17:00.
create table member_hours (
  workspace_id handle not null,
  user_id handle not null,
  time_zone text not null,
  hours jsonb not null,
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);
comment on column member_hours.hours is 'for Monday to Sunday a list of [from, to] in minutes of the day';

-- The address under which a calendar program reads the interviews of a member. Only the hash of its secret is stored.
create table member_calendars (
  workspace_id handle not null,
  user_id handle not null,
  secret_hash text not null,
  created_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, user_id),
  unique (secret_hash),
  foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade
);

alter table hiring_settings
  add column feedback_hours integer not null default 24,
  add column full_names_in_calendars boolean not null default false,
  add constraint hiring_settings_feedback_hours_check check (feedback_hours between 4 and 168) not valid;
alter table hiring_settings validate constraint hiring_settings_feedback_hours_check;

-- A request that an interview has made is due some hours after its end; then there is an email.
alter table scorecard_requests
  add column interview_id uuid,
  add column due_at timestamptz(3),
  add column mailed_at timestamptz(3);
comment on column scorecard_requests.mailed_at is 'when the member was reminded that it is due';

-- Invitations. What an email says is stored as a hash, so that the same is not sent twice.
alter table team_mails
  add column interview_id uuid,
  add column method text,
  add column says text,
  add column calendar jsonb,
  drop constraint team_mails_kind_check;
alter table team_mails add constraint team_mails_kind_check
  check (kind in ('mention', 'scorecard', 'summary', 'interview', 'interview_answer')) not valid;
alter table team_mails validate constraint team_mails_kind_check;
comment on column team_mails.calendar is 'the entry that is canceled, without anything about the candidate: it outlives the interview';

alter table candidate_mails
  add column interview_id uuid,
  add column says text,
  drop constraint candidate_mails_kind_check;
alter table candidate_mails add constraint candidate_mails_kind_check check (kind in ('confirmation', 'already_applied',
  'access', 'email_change', 'email_changed', 'check_invitation', 'check_reminder', 'check_canceled', 'interview_times',
  'interview_invitation', 'interview_canceled')) not valid;
alter table candidate_mails validate constraint candidate_mails_kind_check;

alter table candidate_links drop constraint candidate_links_purpose_check;
alter table candidate_links add constraint candidate_links_purpose_check
  check (purpose in ('confirmation', 'access', 'email_change', 'interview')) not valid;
alter table candidate_links validate constraint candidate_links_purpose_check;
