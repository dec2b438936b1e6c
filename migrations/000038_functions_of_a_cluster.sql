-- The same statements run on PostgreSQL and on a Citus cluster, where the tables of workspaces are distributed by
-- workspace_id (src/kernel/db/placement.ts). There a function with a constant in COALESCE or CASE, or one that reads a time
-- zone, cannot be part of a statement that changes rows; a trigger runs on the shard, where every table must be compared
-- with the workspace itself and a row has the type of the shard.

-- As before, without COALESCE: concat leaves out what is null.
create or replace function app_now() returns timestamptz(3) language sql stable parallel safe as $$
  select (now() + concat(nullif(current_setting('hiring.clock_offset_ms', true), '') || ' ms', ' 0 s')::interval)::timestamptz(3)
$$;

-- As before, in UTC: adding to a time without a zone depends on no setting.
create or replace function app_touch(previous timestamptz) returns timestamptz(3) language sql stable parallel safe as $$
  select greatest(app_now(), (previous at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC')::timestamptz(3)
$$;

-- The same as job_search_write, which took a row. What it inserts is computed before.
create function job_search_put(workspace text, job text, updated timestamptz, job_status text, job_department text,
  job_location_type text, job_employment_type text, published timestamptz, job_source_system text,
  job_source_external_id text, content text) returns void language plpgsql as $$
declare
  words text[];
  vector tsvector;
begin
  words := array(
    select w.lexeme from unnest(to_tsvector('job_plain', job_search_text(content))) as w
    order by w.positions[1], w.lexeme limit 2000);
  vector := array_to_tsvector(array(select (ts_lexize('job_stem', word))[1] from unnest(words) word)
    || job_published_terms(published));
  insert into job_search (workspace_id, id, updated_at, status, department, location_type, employment_type,
    published_at, source_system, source_external_id, terms)
  values (workspace, job, updated, job_status, job_department, job_location_type, job_employment_type, published,
    job_source_system, job_source_external_id, vector)
  on conflict (workspace_id, id) do update set updated_at = excluded.updated_at, status = excluded.status,
    department = excluded.department, location_type = excluded.location_type,
    employment_type = excluded.employment_type, published_at = excluded.published_at,
    source_system = excluded.source_system, source_external_id = excluded.source_external_id, terms = excluded.terms;
  -- Nearly all are there already, so each is looked up first. In the order of the words, so that two writers of the
  -- same new ones wait for each other in one direction only.
  insert into job_words (workspace_id, word, lexeme)
  select workspace, w.word, (ts_lexize('job_stem', w.word))[1]
  from unnest(words) as w (word)
  where length(w.word) between 3 and 40 and w.word !~ '^[0-9]+$'
    and (select k.word from job_words k where k.workspace_id = workspace and k.word = w.word) is null
  order by w.word collate "C"
  on conflict do nothing;
end
$$;

create or replace function job_search_follow() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (new.title, new.department, new.summary, new.description_md, new.skills_required, new.skills_preferred)
    is not distinct from (old.title, old.department, old.summary, old.description_md, old.skills_required, old.skills_preferred)
  then
    update job_search set updated_at = new.updated_at, status = new.status, department = new.department,
      location_type = new.location_type, employment_type = new.employment_type, published_at = new.published_at,
      terms = case when new.published_at is not distinct from published_at then terms else
        ts_delete(terms, job_published_terms(published_at)) || array_to_tsvector(job_published_terms(new.published_at)) end
    where workspace_id = new.workspace_id and id = new.id;
    if found then
      return null;
    end if;
  end if;
  perform job_search_put(new.workspace_id, new.id, new.updated_at, new.status, new.department, new.location_type,
    new.employment_type, new.published_at, new.source_system, new.source_external_id,
    concat_ws(' ', new.title, new.department, new.summary,
      (select string_agg(skill, ' ') from jsonb_array_elements_text(new.skills_required || new.skills_preferred) skill),
      new.description_md));
  return null;
end
$$;

-- The row that the view application_funnel_counted has for the application, with the workspace in every part.
create or replace function count_application(workspace handle, application handle) returns void language plpgsql as $$
begin
  insert into application_funnel as f
    (applied_at, code, lot, job, days_to_hire, workspace_id, application_id, source, hours, stages, stays)
  select a.applied_at,
    (funnel_status(a.status) | (h.stands << 3) | (h.reached << 6))::smallint,
    (hashtext(a.id) & 1023)::smallint,
    (select number from jobs j where j.workspace_id = workspace and j.id = a.job_id),
    case when a.status = 'hired' then (extract(epoch from a.hired_at - a.applied_at) / 86400)::real end,
    a.workspace_id, a.id, a.source,
    case when h.reached <> (1 << h.stands) then array[
      case when h.stands <> 0 then h.hours0 end, case when h.stands <> 1 then h.hours1 end,
      case when h.stands <> 2 then h.hours2 end, case when h.stands <> 3 then h.hours3 end,
      case when h.stands <> 4 then h.hours4 end, case when h.stands <> 5 then h.hours5 end,
      null, case when h.stands <> 7 then h.hours7 end]::real[] end,
    coalesce(h.stages, array[coalesce(h.last_stage, a.stage_id)]::text[]),
    case when cardinality(h.stages) > 1 then h.stays end
  from applications a
  join pipeline_stages now_in
    on now_in.workspace_id = a.workspace_id and now_in.workspace_id = workspace and now_in.id = a.stage_id
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
      where t.workspace_id = workspace and t.application_id = a.id and t.to_stage_type is not null
    ) steps
  ) h
  where a.workspace_id = workspace and a.id = application
  on conflict (workspace_id, application_id) do update set applied_at = excluded.applied_at, code = excluded.code,
    job = excluded.job, days_to_hire = excluded.days_to_hire, source = excluded.source, hours = excluded.hours,
    stages = excluded.stages, stays = excluded.stays
  where (f.applied_at, f.code, f.job, f.days_to_hire, f.source, f.hours, f.stages, f.stays) is distinct from
    (excluded.applied_at, excluded.code, excluded.job, excluded.days_to_hire, excluded.source, excluded.hours,
      excluded.stages, excluded.stays);
end
$$;

-- A setting of the session does not reach a shard: the retention marks the row itself, before it deletes the application.
-- Processes of the last release still use the setting.
create or replace function uncount_application() returns trigger language plpgsql as $$
begin
  if current_setting('hiring.retention', true) = 'on' then
    update application_funnel set gone = true where workspace_id = old.workspace_id and application_id = old.id;
  else
    delete from application_funnel
    where workspace_id = old.workspace_id and application_id = old.id and gone is not true;
  end if;
  return null;
end
$$;

-- SET LOCAL does reach a shard, but has no parameter: it is 'on' for the deletion of whichever workspace.
drop trigger credit_entries_append_only on credit_entries;
create trigger credit_entries_append_only before update or delete on credit_entries
  for each row when (pg_trigger_depth() = 0
    and coalesce(current_setting('hiring.deleting_workspace', true), '') not in ('on', old.workspace_id))
  execute function refuse_credit_change();

-- Events of no workspace, which are those of the pool. They have a table of their own beside the pool: the outbox of a
-- workspace is where its data is.
create table shared_outbox (
  id bigint generated always as identity primary key,
  event_id handle not null,
  type text not null,
  origin_key_id handle,
  created_at timestamptz(3) not null default app_now(),
  head text not null,
  tail text not null
);
-- What processes of the last release insert without a workspace goes there, too.
create function divert_shared_event() returns trigger language plpgsql as $$
begin
  insert into shared_outbox (event_id, type, origin_key_id, created_at, head, tail)
  values (new.event_id, new.type, new.origin_key_id, new.created_at, new.head, new.tail);
  return null;
end
$$;
create trigger outbox_shared before insert on outbox for each row when (new.workspace_id is null)
  execute function divert_shared_event();
-- allowed: what waits to be published, which is nothing at most times; few events are of no workspace
with moved as (delete from outbox where workspace_id is null returning *)
insert into shared_outbox (event_id, type, origin_key_id, created_at, head, tail)
select event_id, type, origin_key_id, created_at, head, tail from moved order by id;
