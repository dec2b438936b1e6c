-- Which scopes an installation uses, so that people see which ones it could do without.
create table scope_usage (
  workspace_id handle not null,
  installation_id handle not null,
  scope text not null,
  last_used_on date not null,
  primary key (workspace_id, installation_id, scope),
  foreign key (workspace_id, installation_id) references installations (workspace_id, id) on delete cascade
);
comment on table scope_usage is 'the last day on which an installation used a scope, in UTC; written at most once a day';

-- Nothing is known of the time before, so it counts as use: no scope is called unused before it was observed for long enough.
insert into scope_usage (workspace_id, installation_id, scope, last_used_on)
select distinct workspace_id, id, unnest(scopes), app_now()::date from installations where ended_at is null;
