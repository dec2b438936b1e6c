-- The rows of application_funnel are the same as before. They are counted by statements that each read one table by its
-- key, instead of one that joins all of them, and what the change itself says is not read: a node of a cluster plans the
-- statements of a trigger each time, and those of one table fastest.

-- What the steps of an application say about its row. `stands` is null if no step counts: then the current stage does.
-- Everything else is as in the view application_funnel_counted, in the same order, so that sums of hours are equal, too.
create function count_steps(workspace handle, application handle, out stands integer, out reached integer, out hours real[],
  out stages text[], out stays real[], out last_stage text) language plpgsql as $$
declare
  step record;
  left_at timestamptz;
  stay double precision;
  -- by stage type, as hours, before they are rounded to those
  sums double precision[] := array_fill(null::double precision, array[8]);
begin
  for step in
    select t.to_stage_id as stage, funnel_stage(t.to_stage_type) as k, t.at from stage_transitions t
    where t.workspace_id = workspace and t.application_id = application and t.to_stage_type is not null
    order by t.id desc
  loop
    stay := date_part('epoch', left_at - step.at) / 3600;
    left_at := step.at;
    last_stage := coalesce(last_stage, step.stage);
    -- a stage of type `rejected` (6) is an exit and not a step
    continue when (step.k <> 6) is not true;
    stands := coalesce(stands, step.k);
    reached := coalesce(reached, 0) | (1 << step.k);
    stages := stages || step.stage::text;
    stays := stays || stay::real;
    if step.k <> stands then
      sums[step.k + 1] := coalesce(sums[step.k + 1] + stay, stay, sums[step.k + 1]);
    end if;
  end loop;
  if reached <> (1 << stands) then
    hours := sums;
  end if;
  if cardinality(stages) = 1 then
    stays := null;
  end if;
end
$$;

create or replace function count_application(workspace handle, application handle) returns void language plpgsql as $$
declare
  counted record;
  steps record;
  job_number integer;
  days real;
begin
  select a.applied_at, a.job_id, a.stage_id, a.status, a.source, a.hired_at into counted
  from applications a where a.workspace_id = workspace and a.id = application;
  if not found then
    return;
  end if;
  steps := count_steps(workspace, application);
  if steps.stands is null then
    select funnel_stage(s.type) into steps.stands
    from pipeline_stages s where s.workspace_id = workspace and s.id = counted.stage_id;
    steps.reached := 1 << steps.stands;
    steps.stages := array[coalesce(steps.last_stage, counted.stage_id)];
  end if;
  select j.number into job_number from jobs j where j.workspace_id = workspace and j.id = counted.job_id;
  if counted.status = 'hired' then
    days := extract(epoch from counted.hired_at - counted.applied_at) / 86400;
  end if;
  insert into application_funnel as f
    (applied_at, code, lot, job, days_to_hire, workspace_id, application_id, source, hours, stages, stays)
  values (counted.applied_at, funnel_status(counted.status) | (steps.stands << 3) | (steps.reached << 6),
    hashtext(application) & 1023, job_number, days, workspace, application, counted.source, steps.hours, steps.stages,
    steps.stays)
  on conflict (workspace_id, application_id) do update set applied_at = excluded.applied_at, code = excluded.code,
    job = excluded.job, days_to_hire = excluded.days_to_hire, source = excluded.source, hours = excluded.hours,
    stages = excluded.stages, stays = excluded.stays
  where (f.applied_at, f.code, f.job, f.days_to_hire, f.source, f.hours, f.stages, f.stays) is distinct from
    (excluded.applied_at, excluded.code, excluded.job, excluded.days_to_hire, excluded.source, excluded.hours,
      excluded.stages, excluded.stays);
end
$$;

-- A new application has no step: it counts in its stage.
create function count_new_application() returns trigger language plpgsql as $$
declare
  stands integer;
  job_number integer;
  days real;
begin
  select funnel_stage(s.type) into stands
  from pipeline_stages s where s.workspace_id = new.workspace_id and s.id = new.stage_id;
  select j.number into job_number from jobs j where j.workspace_id = new.workspace_id and j.id = new.job_id;
  if new.status = 'hired' then
    days := extract(epoch from new.hired_at - new.applied_at) / 86400;
  end if;
  insert into application_funnel (applied_at, code, lot, job, days_to_hire, workspace_id, application_id, source, stages)
  values (new.applied_at, funnel_status(new.status) | (stands << 3) | ((1 << stands) << 6), hashtext(new.id) & 1023,
    job_number, days, new.workspace_id, new.id, new.source, array[new.stage_id])
  on conflict (workspace_id, application_id) do nothing;
  if not found then
    -- by a step of the same statement, or its handle was that of one whose retention is over
    perform count_application(new.workspace_id, new.id);
  end if;
  return null;
end
$$;
create or replace trigger applications_funnel after insert on applications
  for each row execute function count_new_application();

create or replace function count_changed_application() returns trigger language plpgsql as $$
declare
  status_now integer := funnel_status(new.status);
  days real;
begin
  -- Where a step counts, the current stage does not, and what the steps say is as it was.
  if new.job_id = old.job_id then
    perform from stage_transitions t
    where t.workspace_id = new.workspace_id and t.application_id = new.id and funnel_stage(t.to_stage_type) <> 6 limit 1;
    if found then
      if new.status = 'hired' then
        days := extract(epoch from new.hired_at - new.applied_at) / 86400;
      end if;
      update application_funnel f set applied_at = new.applied_at, code = (f.code & -8) | status_now, days_to_hire = days,
        source = new.source
      where f.workspace_id = new.workspace_id and f.application_id = new.id;
      if found then
        return null;
      end if;
    end if;
  end if;
  perform count_application(new.workspace_id, new.id);
  return null;
end
$$;
-- Not of stage_id: every move inserts a transition, which counts the application again.
create or replace trigger applications_funnel_changed
  after update of status, job_id, source, applied_at, hired_at on applications for each row
  when ((old.status, old.job_id, old.stage_id, old.source, old.applied_at, old.hired_at) is distinct from
    (new.status, new.job_id, new.stage_id, new.source, new.applied_at, new.hired_at))
  execute function count_changed_application();

create or replace function count_moved_application() returns trigger language plpgsql as $$
declare
  steps record;
  place integer;
begin
  steps := count_steps(new.workspace_id, new.application_id);
  if steps.stands is null then
    perform count_application(new.workspace_id, new.application_id);
    return null;
  end if;
  place := steps.stands | (steps.reached << 3);
  if new.from_stage_id is null then
    -- The first step: the row of the new application says the same.
    perform from application_funnel f
    where f.workspace_id = new.workspace_id and f.application_id = new.application_id and f.code >> 3 = place
      and f.hours is not distinct from steps.hours and f.stages = steps.stages and f.stays is not distinct from steps.stays;
    if found then
      return null;
    end if;
  end if;
  update application_funnel f set code = (f.code & 7) | (place << 3), hours = steps.hours, stages = steps.stages,
    stays = steps.stays
  where f.workspace_id = new.workspace_id and f.application_id = new.application_id;
  if not found then
    perform count_application(new.workspace_id, new.application_id);
  end if;
  return null;
end
$$;

-- As before, and not called where the insertion gives the type. Processes of the last release do not.
create or replace trigger stage_transitions_type before insert on stage_transitions
  for each row when (new.to_stage_type is null) execute function note_stage_type();

-- As before, with one statement for a change.
create or replace function note_funnel_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into funnel_changes (workspace_id, applied_on, job, source, code, n)
    values (new.workspace_id, (new.applied_at at time zone 'UTC')::date, new.job, new.source, new.code, 1);
  elsif tg_op = 'DELETE' then
    insert into funnel_changes (workspace_id, applied_on, job, source, code, n)
    values (old.workspace_id, (old.applied_at at time zone 'UTC')::date, old.job, old.source, old.code, -1);
  else
    insert into funnel_changes (workspace_id, applied_on, job, source, code, n)
    values (old.workspace_id, (old.applied_at at time zone 'UTC')::date, old.job, old.source, old.code, -1),
      (new.workspace_id, (new.applied_at at time zone 'UTC')::date, new.job, new.source, new.code, 1);
  end if;
  return null;
end
$$;
