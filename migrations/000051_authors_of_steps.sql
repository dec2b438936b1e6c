-- Who moved an application, and who decided about it: a key or connected app, or a person in our pages. Neither is known of
-- steps that were taken before, and of what candidates and the service do.
alter table stage_transitions add column key_id handle, add column user_id handle;
comment on column stage_transitions.key_id is 'the key, or the consent to an app, that made the change';
comment on column stage_transitions.user_id is 'the person who made the change in our pages';

create table status_transitions (
  workspace_id handle not null,
  application_id handle not null,
  id bigint generated always as identity not null,
  from_status text not null,
  to_status text not null,
  at timestamptz(3) not null,
  key_id handle,
  user_id handle,
  primary key (workspace_id, application_id, id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade,
  check (key_id is null or user_id is null)
);
comment on table status_transitions is 'each change of the status of an application; a step that also moved it is a row of stage_transitions with the same time';
