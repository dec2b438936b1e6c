-- The hiring funnel is counted from the history of stages. A step of the history stores the type that the stage had when
-- the application entered it.
create function note_stage_type() returns trigger language plpgsql as $$
begin
  new.to_stage_type := coalesce(new.to_stage_type,
    (select type from pipeline_stages where workspace_id = new.workspace_id and id = new.to_stage_id));
  return new;
end
$$;
create trigger stage_transitions_type before insert on stage_transitions
  for each row execute function note_stage_type();

-- The numbers that stand for a status and a stage type.
create function funnel_status(status text) returns integer language sql immutable parallel safe as $$
  select array_position(array['new', 'in_review', 'advanced', 'rejected', 'withdrawn', 'hired'], status) - 1
$$;
create function funnel_stage(type text) returns integer language sql immutable parallel safe as $$
  select array_position(
    array['applied', 'screen', 'assessment', 'interview', 'offer', 'hired', 'rejected', 'custom'], type) - 1
$$;

-- One narrow row for each application: everything that counting needs, so that a million of them are counted in one pass.
create table application_funnel (
  applied_at timestamptz(3) not null,
  -- how the application counts, in 14 bits: its status (3), the type of its current stage (3), and the types of the
  -- stages it reached (8); the numbers are those of funnel_status and funnel_stage
  code smallint not null,
  -- 0 to 1023, from the handle: medians of very many applications are taken from a sample of these lots
  lot smallint not null,
  -- number of the job
  job integer not null,
  days_to_hire real,
  workspace_id handle not null,
  application_id handle not null,
  source text collate "C" not null,
  -- by stage type, of the stages it left: hours spent there; null when there are none
  hours real[],
  -- handles of the stages it was in, the last first, once for each stay; hours spent in each, null when there is one
  stages text[] not null,
  stays real[],
  primary key (workspace_id, application_id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
-- Every query reads one of these indexes alone: the rows are spread over the whole table.
create index application_funnel_applied on application_funnel (workspace_id, applied_at) include (code, job, source);
create index application_funnel_job on application_funnel (workspace_id, job, applied_at) include (code, source);
-- Hires are few: their median is taken from all of them.
create index application_funnel_hires on application_funnel (workspace_id, applied_at)
  include (days_to_hire, job, source) where days_to_hire is not null;
-- Stays of very many applications are measured on a sample of lots.
create index application_funnel_lots on application_funnel (workspace_id, lot)
  include (applied_at, job, source, hours) where hours is not null;
-- More applications are measured of a job or a source with few among very many than an even sample would have.
create index application_funnel_job_lots on application_funnel (workspace_id, job, lot)
  include (applied_at, source, hours) where hours is not null;
create index application_funnel_source_lots on application_funnel (workspace_id, source, lot) where hours is not null;

-- The rows that application_funnel must have. A stage of type `rejected` (6) is an exit and not a step: an application
-- that was moved there counts in the last step before it, unless there was none.
create view application_funnel_counted as
select a.applied_at,
  (funnel_status(a.status) | (h.stands << 3) | (h.reached << 6))::smallint as code,
  (hashtext(a.id) & 1023)::smallint as lot,
  (select number from jobs j where j.workspace_id = a.workspace_id and j.id = a.job_id) as job,
  case when a.status = 'hired' then (extract(epoch from a.hired_at - a.applied_at) / 86400)::real end as days_to_hire,
  a.workspace_id, a.id as application_id, a.source,
  case when h.reached <> (1 << h.stands) then array[
    case when h.stands <> 0 then h.hours0 end, case when h.stands <> 1 then h.hours1 end,
    case when h.stands <> 2 then h.hours2 end, case when h.stands <> 3 then h.hours3 end,
    case when h.stands <> 4 then h.hours4 end, case when h.stands <> 5 then h.hours5 end,
    null, case when h.stands <> 7 then h.hours7 end]::real[] end as hours,
  coalesce(h.stages, array[coalesce(h.last_stage, a.stage_id)]::text[]) as stages,
  case when cardinality(h.stages) > 1 then h.stays end as stays
from applications a
join pipeline_stages now_in on now_in.workspace_id = a.workspace_id and now_in.id = a.stage_id
cross join lateral (
  select
    coalesce((array_agg(k order by id desc) filter (where k <> 6))[1], funnel_stage(now_in.type)) as stands,
    coalesce(bit_or(1 << k) filter (where k <> 6), 1 << funnel_stage(now_in.type)) as reached,
    sum(stay) filter (where k = 0) as hours0, sum(stay) filter (where k = 1) as hours1,
    sum(stay) filter (where k = 2) as hours2, sum(stay) filter (where k = 3) as hours3,
    sum(stay) filter (where k = 4) as hours4, sum(stay) filter (where k = 5) as hours5,
    sum(stay) filter (where k = 7) as hours7,
    array_agg(stage order by id desc) filter (where k <> 6) as stages,
    array_agg(stay::real order by id desc) filter (where k <> 6) as stays,
    (array_agg(stage order by id desc))[1] as last_stage
  from (
    select id, to_stage_id::text as stage, funnel_stage(to_stage_type) as k,
      date_part('epoch', lag(at) over (order by id desc) - at) / 3600 as stay
    from stage_transitions t
    where t.workspace_id = a.workspace_id and t.application_id = a.id and t.to_stage_type is not null
  ) steps
) h;

-- In plpgsql, which caches the plan of its statement between calls: planning it costs more than running it.
create function count_application(workspace handle, application handle) returns void language plpgsql as $$
begin
  insert into application_funnel as f
    (applied_at, code, lot, job, days_to_hire, workspace_id, application_id, source, hours, stages, stays)
  select applied_at, code, lot, job, days_to_hire, workspace_id, application_id, source, hours, stages, stays
  from application_funnel_counted where workspace_id = workspace and application_id = application
  on conflict (workspace_id, application_id) do update set applied_at = excluded.applied_at, code = excluded.code,
    job = excluded.job, days_to_hire = excluded.days_to_hire, source = excluded.source, hours = excluded.hours,
    stages = excluded.stages, stays = excluded.stays
  where (f.applied_at, f.code, f.job, f.days_to_hire, f.source, f.hours, f.stages, f.stays) is distinct from
    (excluded.applied_at, excluded.code, excluded.job, excluded.days_to_hire, excluded.source, excluded.hours,
      excluded.stages, excluded.stays);
end
$$;

create function count_changed_application() returns trigger language plpgsql as $$
begin
  perform count_application(new.workspace_id, new.id);
  return null;
end
$$;
-- Not of stage_id: every move inserts a transition, which counts the application again.
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

-- Counts of whole days by source, and of whole months by job and by job with source: for every filter and grouping of the
-- funnel one of them has the counts, and the rest of the window is counted row by row. A row has all counts of its
-- applications: how many there are, how many are in which stage type with which status (at_TYPE_STATUS), and how many
-- reached the stage type (reached_TYPE).
create table funnel_tally (
  n integer not null,
  at_0_0 integer not null, at_0_1 integer not null, at_0_2 integer not null,
  at_0_3 integer not null, at_0_4 integer not null, at_0_5 integer not null,
  at_1_0 integer not null, at_1_1 integer not null, at_1_2 integer not null,
  at_1_3 integer not null, at_1_4 integer not null, at_1_5 integer not null,
  at_2_0 integer not null, at_2_1 integer not null, at_2_2 integer not null,
  at_2_3 integer not null, at_2_4 integer not null, at_2_5 integer not null,
  at_3_0 integer not null, at_3_1 integer not null, at_3_2 integer not null,
  at_3_3 integer not null, at_3_4 integer not null, at_3_5 integer not null,
  at_4_0 integer not null, at_4_1 integer not null, at_4_2 integer not null,
  at_4_3 integer not null, at_4_4 integer not null, at_4_5 integer not null,
  at_5_0 integer not null, at_5_1 integer not null, at_5_2 integer not null,
  at_5_3 integer not null, at_5_4 integer not null, at_5_5 integer not null,
  at_6_0 integer not null, at_6_1 integer not null, at_6_2 integer not null,
  at_6_3 integer not null, at_6_4 integer not null, at_6_5 integer not null,
  at_7_0 integer not null, at_7_1 integer not null, at_7_2 integer not null,
  at_7_3 integer not null, at_7_4 integer not null, at_7_5 integer not null,
  reached_0 integer not null, reached_1 integer not null, reached_2 integer not null, reached_3 integer not null,
  reached_4 integer not null, reached_5 integer not null, reached_6 integer not null, reached_7 integer not null
);
create table funnel_by_day (
  workspace_id handle not null references workspaces on delete cascade,
  source text collate "C" not null,
  since date not null,
  like funnel_tally,
  primary key (workspace_id, since, source)
);
create table funnel_by_job (
  workspace_id handle not null references workspaces on delete cascade,
  since date not null,
  job integer not null,
  like funnel_tally,
  primary key (workspace_id, since, job)
);
create table funnel_by_job_and_source (
  workspace_id handle not null references workspaces on delete cascade,
  source text collate "C" not null,
  since date not null,
  job integer not null,
  like funnel_tally,
  primary key (workspace_id, source, since, job)
);
drop table funnel_tally;

-- Changes that are not in the counts yet: one row subtracts and one row adds for each change. Writers only append, so that
-- two of them never wait for each other; a worker adds the rows up into the counts. Counts and changes together are always
-- exact.
create table funnel_changes (
  id bigint generated always as identity primary key,
  workspace_id handle not null,
  applied_on date not null,
  source text collate "C" not null,
  code smallint not null,
  n integer not null,
  job integer not null
);
create index funnel_changes_workspace on funnel_changes (workspace_id, applied_on);

create function note_funnel_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into funnel_changes (workspace_id, applied_on, job, source, code, n)
    values (old.workspace_id, (old.applied_at at time zone 'UTC')::date, old.job, old.source, old.code, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into funnel_changes (workspace_id, applied_on, job, source, code, n)
    values (new.workspace_id, (new.applied_at at time zone 'UTC')::date, new.job, new.source, new.code, 1);
  end if;
  return null;
end
$$;
create trigger application_funnel_added after insert or delete on application_funnel
  for each row execute function note_funnel_change();
create trigger application_funnel_changed after update on application_funnel for each row
  when ((old.applied_at, old.job, old.source, old.code) is distinct from (new.applied_at, new.job, new.source, new.code))
  execute function note_funnel_change();
