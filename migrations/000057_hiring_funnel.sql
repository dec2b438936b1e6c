-- The hiring funnel is counted from the history of stages. Stages can be renamed, retyped and deleted later, so a step
-- of the history keeps the type that the stage had when the application entered it.
alter table stage_transitions add column to_stage_type text;
update stage_transitions t set to_stage_type = s.type
from pipeline_stages s where s.workspace_id = t.workspace_id and s.id = t.to_stage_id;

create function note_stage_type() returns trigger language plpgsql as $$
begin
  new.to_stage_type := coalesce(new.to_stage_type,
    (select type from pipeline_stages where workspace_id = new.workspace_id and id = new.to_stage_id));
  return new;
end
$$;
create trigger stage_transitions_type before insert on stage_transitions
  for each row execute function note_stage_type();

-- One narrow row for each application: all that counting needs, so that a million of them are counted in one pass.
create table application_funnel (
  applied_at timestamptz(3) not null,
  -- how the application counts, in 14 bits: its status (3), the type of the stage it stands in (3), and the types of
  -- the stages it reached (8); the numbers are those of funnel_status and funnel_stage
  code smallint not null,
  -- 0 to 1023, from the handle: medians of very many applications are taken from some of these lots
  lot smallint not null,
  days_to_hire real,
  workspace_id handle not null,
  application_id handle not null,
  job_id handle not null,
  source text not null,
  -- by stage type, of the stages it went on from: hours spent there; null when there are none
  hours real[],
  primary key (workspace_id, application_id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
create index application_funnel_applied on application_funnel (workspace_id, applied_at);
create index application_funnel_lots on application_funnel (workspace_id, lot, applied_at);
create index application_funnel_job on application_funnel (workspace_id, job_id, applied_at);

create function funnel_status(status text) returns integer language sql immutable parallel safe as $$
  select array_position(array['new', 'in_review', 'advanced', 'rejected', 'withdrawn', 'hired'], status) - 1
$$;
create function funnel_stage(type text) returns integer language sql immutable parallel safe as $$
  select array_position(
    array['applied', 'screen', 'assessment', 'interview', 'offer', 'hired', 'rejected', 'custom'], type) - 1
$$;

-- The rows that application_funnel must have. A stage of type `rejected` (6) is a way out and not a step: who was moved
-- there stands in the last step before it, unless there was none.
create view application_funnel_counted as
select a.applied_at,
  (funnel_status(a.status) | (h.stands << 3) | (h.reached << 6))::smallint as code,
  (hashtext(a.id) & 1023)::smallint as lot,
  case when a.status = 'hired' then (extract(epoch from a.hired_at - a.applied_at) / 86400)::real end as days_to_hire,
  a.workspace_id, a.id as application_id, a.job_id, a.source,
  case when h.reached <> (1 << h.stands) then array[
    case when h.stands <> 0 then h.hours0 end, case when h.stands <> 1 then h.hours1 end,
    case when h.stands <> 2 then h.hours2 end, case when h.stands <> 3 then h.hours3 end,
    case when h.stands <> 4 then h.hours4 end, case when h.stands <> 5 then h.hours5 end,
    null, case when h.stands <> 7 then h.hours7 end]::real[] end as hours
from applications a
join pipeline_stages now_in on now_in.workspace_id = a.workspace_id and now_in.id = a.stage_id
cross join lateral (
  select
    coalesce((array_agg(k order by id desc) filter (where k <> 6))[1], funnel_stage(now_in.type)) as stands,
    coalesce(bit_or(1 << k) filter (where k <> 6), 1 << funnel_stage(now_in.type)) as reached,
    sum(stay) filter (where k = 0) as hours0, sum(stay) filter (where k = 1) as hours1,
    sum(stay) filter (where k = 2) as hours2, sum(stay) filter (where k = 3) as hours3,
    sum(stay) filter (where k = 4) as hours4, sum(stay) filter (where k = 5) as hours5,
    sum(stay) filter (where k = 7) as hours7
  from (
    select id, funnel_stage(to_stage_type) as k,
      extract(epoch from lead(at) over (order by id) - at) / 3600 as stay
    from stage_transitions t
    where t.workspace_id = a.workspace_id and t.application_id = a.id and t.to_stage_type is not null
  ) steps
) h;

-- In plpgsql, which keeps the plan of its statement from call to call: planning it costs more than running it.
create function count_application(workspace handle, application handle) returns void language plpgsql as $$
begin
  insert into application_funnel as f
    (applied_at, code, lot, days_to_hire, workspace_id, application_id, job_id, source, hours)
  select applied_at, code, lot, days_to_hire, workspace_id, application_id, job_id, source, hours
  from application_funnel_counted where workspace_id = workspace and application_id = application
  on conflict (workspace_id, application_id) do update set applied_at = excluded.applied_at, code = excluded.code,
    days_to_hire = excluded.days_to_hire, job_id = excluded.job_id, source = excluded.source, hours = excluded.hours
  where (f.applied_at, f.code, f.days_to_hire, f.job_id, f.source, f.hours) is distinct from
    (excluded.applied_at, excluded.code, excluded.days_to_hire, excluded.job_id, excluded.source, excluded.hours);
end
$$;

create function count_changed_application() returns trigger language plpgsql as $$
begin
  perform count_application(new.workspace_id, new.id);
  return null;
end
$$;
-- Not of stage_id: with every move comes a transition, which counts the application anew.
create trigger applications_funnel after insert or update of status, job_id, source, applied_at, hired_at on applications
  for each row execute function count_changed_application();

create function count_moved_application() returns trigger language plpgsql as $$
begin
  perform count_application(new.workspace_id, new.application_id);
  return null;
end
$$;
create trigger stage_transitions_funnel after insert on stage_transitions
  for each row execute function count_moved_application();

insert into application_funnel (applied_at, code, lot, days_to_hire, workspace_id, application_id, job_id, source, hours)
select applied_at, code, lot, days_to_hire, workspace_id, application_id, job_id, source, hours
from application_funnel_counted;

-- Counts of whole days, and of whole months by job and by source, so that a year of a large workspace is added up from
-- some thousand rows. `key` is empty, a job or a source; `since` the first day of the span.
create table funnel_counts (
  workspace_id handle not null references workspaces on delete cascade,
  dimension text not null check (dimension in ('day', 'job', 'source')),
  since date not null,
  key text collate "C" not null,
  code smallint not null,
  n integer not null,
  primary key (workspace_id, dimension, since, key, code)
);

-- What changed since: one row less and one row more for each change. Writers only ever append, so that two of them never
-- wait for one another; a worker adds the rows up into the counts. Counts and changes together are always exact.
create table funnel_changes (
  id bigint generated always as identity primary key,
  workspace_id handle not null,
  applied_on date not null,
  job_id handle not null,
  source text not null,
  code smallint not null,
  n smallint not null
);
create index funnel_changes_workspace on funnel_changes (workspace_id, applied_on);

create function note_funnel_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into funnel_changes (workspace_id, applied_on, job_id, source, code, n)
    values (old.workspace_id, (old.applied_at at time zone 'UTC')::date, old.job_id, old.source, old.code, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into funnel_changes (workspace_id, applied_on, job_id, source, code, n)
    values (new.workspace_id, (new.applied_at at time zone 'UTC')::date, new.job_id, new.source, new.code, 1);
  end if;
  return null;
end
$$;
create trigger application_funnel_added after insert or delete on application_funnel
  for each row execute function note_funnel_change();
create trigger application_funnel_changed after update on application_funnel for each row
  when ((old.applied_at, old.job_id, old.source, old.code) is distinct from (new.applied_at, new.job_id, new.source, new.code))
  execute function note_funnel_change();

insert into funnel_changes (workspace_id, applied_on, job_id, source, code, n)
select workspace_id, (applied_at at time zone 'UTC')::date, job_id, source, code, 1 from application_funnel;
