-- The schema that the migrations make. Generated; the migrations are what counts.

create domain handle as text collate "C";

CREATE OR REPLACE FUNCTION public.app_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select (now() + concat(nullif(current_setting('hiring.clock_offset_ms', true), '') || ' ms', ' 0 s')::interval)::timestamptz(3)
$function$
;

CREATE OR REPLACE FUNCTION public.app_touch(previous timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select greatest(app_now(), (previous at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC')::timestamptz(3)
$function$
;

CREATE OR REPLACE FUNCTION public.application_search_follow()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  r record;
begin
  if tg_op = 'INSERT' then
    r := application_search_row(new.workspace_id, new.id);
    insert into application_search (workspace_id, application_id, job_id, applicant_id, name_key, names, terms)
    values (new.workspace_id, new.id, r.job_id, r.applicant_id, r.name_key, r.names, r.terms)
    on conflict (workspace_id, application_id) do nothing;
    if found then
      return null;
    end if;
    -- by a résumé or tag of the same statement
  end if;
  perform application_search_write(new.workspace_id, new.id);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.application_search_follow_job()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform 1 from application_search s
  where s.workspace_id = new.workspace_id and s.application_id in (
    select a.id from applications a where a.workspace_id = new.workspace_id and a.job_id = new.id)
  order by s.application_id for update;
  update application_search s
  set terms = ts_filter(s.terms, '{a,b,c}') || search_terms(search_words(search_fold(new.title)), 'D')
  from applications a left join applicants p on p.workspace_id = new.workspace_id and p.id = a.applicant_id
  where s.workspace_id = new.workspace_id and s.application_id = a.id
    and a.workspace_id = new.workspace_id and a.job_id = new.id and p.suppressed_at is null;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.application_search_follow_part()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    perform application_search_write(old.workspace_id, old.application_id);
  else
    perform application_search_write(new.workspace_id, new.application_id);
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.application_search_follow_person()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  application handle;
begin
  -- in one order, so that two changes of a person wait for each other in one direction only
  for application in
    select a.id from applications a where a.workspace_id = new.workspace_id and a.applicant_id = new.id order by a.id
  loop
    perform application_search_write(new.workspace_id, application);
  end loop;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.application_search_rebuild(workspace handle, from_after text, batch integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  application handle;
  last handle;
  rows integer := 0;
begin
  for application in
    select a.id from applications a where a.workspace_id = workspace and a.id > from_after order by a.id limit batch
  loop
    perform application_search_write(workspace, application);
    last := application;
    rows := rows + 1;
  end loop;
  if rows < batch then
    delete from search_rebuilds r where r.workspace_id = workspace;
  else
    update search_rebuilds r set after = last where r.workspace_id = workspace and r.after = from_after;
  end if;
  return rows;
end
$function$
;

CREATE OR REPLACE FUNCTION public.application_search_row(workspace handle, application handle, OUT job_id handle, OUT applicant_id handle, OUT name_key text, OUT names tsvector, OUT terms tsvector)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  access text;
  person record;
  -- a text has the collation of the handles otherwise, by which "Ω" has no lower case
  folded text collate "default";
  german text collate "default";
  tags text collate "default";
  read jsonb;
  title text collate "default";
begin
  select a.job_id, a.applicant_id, a.resume_access_state into job_id, applicant_id, access
  from applications a where a.workspace_id = workspace and a.id = application;
  if not found then
    return;
  end if;
  select p.full_name, p.suppressed_at is not null as stopped into person
  from applicants p where p.workspace_id = workspace and p.id = applicant_id;
  folded := coalesce(search_fold(person.full_name), '');
  german := coalesce(search_fold_german(person.full_name), '');
  name_key := concat_ws(E'\n', folded, nullif(german, folded));
  names := search_terms(search_words(folded || ' ' || german), 'A');
  terms := names;
  if person.stopped then
    return;
  end if;
  select string_agg(t.name, ' ') into tags
  from application_tags t where t.workspace_id = workspace and t.application_id = application;
  if access is distinct from 'locked' then
    select r.parsed into read from resumes r where r.workspace_id = workspace and r.application_id = application;
  end if;
  select j.title into title from jobs j where j.workspace_id = workspace and j.id = job_id;
  terms := names
    || search_terms(search_words(search_fold(coalesce(tags, ''))), 'B')
    || search_terms(search_words(search_fold(concat_ws(' ', read ->> 'current_title', read ->> 'current_company',
      (select string_agg(skill, ' ') from jsonb_array_elements_text(
        case when jsonb_typeof(read -> 'skills') = 'array' then read -> 'skills' else '[]' end) skill)))), 'C')
    || search_terms(search_words(search_fold(title)), 'D');
end
$function$
;

CREATE OR REPLACE FUNCTION public.application_search_write(workspace handle, application handle)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  job handle;
  person handle;
  r record;
begin
  select a.job_id, a.applicant_id into job, person
  from applications a where a.workspace_id = workspace and a.id = application;
  if not found then
    return;
  end if;
  insert into application_search (workspace_id, application_id, job_id, applicant_id)
  values (workspace, application, job, person) on conflict (workspace_id, application_id) do nothing;
  perform 1 from application_search s where s.workspace_id = workspace and s.application_id = application for update;
  r := application_search_row(workspace, application);
  update application_search s
  set job_id = r.job_id, applicant_id = r.applicant_id, name_key = r.name_key, names = r.names, terms = r.terms
  where s.workspace_id = workspace and s.application_id = application
    and (s.job_id, s.applicant_id, s.name_key, s.names, s.terms)
      is distinct from (r.job_id, r.applicant_id, r.name_key, r.names, r.terms);
end
$function$
;

CREATE OR REPLACE FUNCTION public.copy_score()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  person handle;
begin
  if tg_op = 'DELETE' then
    update applications a set usable_score = -1
    where a.workspace_id = old.workspace_id and a.id = old.application_id and a.usable_score is distinct from -1;
    return null;
  end if;
  select a.applicant_id into person
  from applications a where a.workspace_id = new.workspace_id and a.id = new.application_id for update;
  perform from applicants p where p.workspace_id = new.workspace_id and p.id = person and p.suppressed_at is not null;
  if not found then
    update applications a set usable_score = new.match_pct
    where a.workspace_id = new.workspace_id and a.id = new.application_id and a.usable_score is distinct from new.match_pct;
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.copy_scores_of_person()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update applications a set usable_score = case when new.suppressed_at is not null then -1 else
    coalesce((select s.match_pct from application_scores s
      where s.workspace_id = new.workspace_id and s.application_id = a.id), -1) end
  where a.workspace_id = new.workspace_id and a.applicant_id = new.id;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.count_application(workspace handle, application handle)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.count_changed_application()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.count_moved_application()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.count_new_application()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.count_steps(workspace handle, application handle, OUT stands integer, OUT reached integer, OUT hours real[], OUT stages text[], OUT stays real[], OUT last_stage text)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.divert_shared_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into shared_outbox (event_id, type, origin_key_id, created_at, head, tail)
  values (new.event_id, new.type, new.origin_key_id, new.created_at, new.head, new.tail);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.fill_usable_scores(batch integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  old record;
  score integer;
  changed integer := 0;
begin
  for old in select a.workspace_id, a.id, a.applicant_id from applications a where a.usable_score is null limit batch loop
    perform from applications a where a.workspace_id = old.workspace_id and a.id = old.id for update;
    select s.match_pct into score
    from application_scores s where s.workspace_id = old.workspace_id and s.application_id = old.id;
    if score is not null then
      perform from applicants p
      where p.workspace_id = old.workspace_id and p.id = old.applicant_id and p.suppressed_at is not null;
      if found then
        score := null;
      end if;
    end if;
    update applications a set usable_score = coalesce(score, -1) where a.workspace_id = old.workspace_id and a.id = old.id;
    changed := changed + 1;
  end loop;
  return changed;
end
$function$
;

CREATE OR REPLACE FUNCTION public.funnel_stage(type text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array_position(
    array['applied', 'screen', 'assessment', 'interview', 'offer', 'hired', 'rejected', 'custom'], type) - 1
$function$
;

CREATE OR REPLACE FUNCTION public.funnel_status(status text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array_position(array['new', 'in_review', 'advanced', 'rejected', 'withdrawn', 'hired'], status) - 1
$function$
;

CREATE OR REPLACE FUNCTION public.job_fact_words(location_type text, employment_type text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select concat_ws(' ',
    case location_type
      when 'remote' then 'remote homeoffice telecommute'
      when 'hybrid' then 'hybrid'
      when 'onsite' then 'onsite' end,
    case employment_type
      when 'full_time' then 'fulltime vollzeit'
      when 'part_time' then 'parttime teilzeit'
      when 'contract' then 'contract contractor freelance freie mitarbeit freiberuflich'
      when 'intern' then 'intern internship praktikum praktikant praktikantin werkstudent'
      when 'temp' then 'temp temporary befristet aushilfe' end)
$function$
;

CREATE OR REPLACE FUNCTION public.job_published_query(after timestamp with time zone, before timestamp with time zone)
 RETURNS tsquery
 LANGUAGE sql
 STABLE
AS $function$
  with bounds as (
    select greatest(after, '1989-12-31') at time zone 'UTC' as low,
      least(before, app_now() + interval '1 day') at time zone 'UTC' as high
  ), months as (
    select m as first, m + interval '1 month - 1 day' as last, low, high
    from bounds, generate_series(date_trunc('month', low), high, interval '1 month') m
  ), terms as (
    select distinct to_char(first, case
      when extract(year from first) > extract(year from low) and extract(year from first) < extract(year from high)
      then '" "YYYY' else '" "YYYY-MM' end) as term
    from months where first > low and last < high - interval '1 day'
    union all
    select to_char(d, '" "YYYY-MM-DD')
    from months, generate_series(greatest(first, date_trunc('day', low)), least(last, high), interval '1 day') d
    where not (first > low and last < high - interval '1 day')
  )
  select coalesce(string_agg('''' || term || '''', ' | '), ''' never''')::tsquery from terms
$function$
;

CREATE OR REPLACE FUNCTION public.job_published_terms(published_at timestamp with time zone)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when published_at is null then '{}'::text[] else array[
    to_char(published_at at time zone 'UTC', '" "YYYY'),
    to_char(published_at at time zone 'UTC', '" "YYYY-MM'),
    to_char(published_at at time zone 'UTC', '" "YYYY-MM-DD')] end
$function$
;

CREATE OR REPLACE FUNCTION public.job_search_follow()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and (new.title, new.department, new.team, new.locations, new.location_type, new.employment_type,
      new.summary, new.description_md, new.skills_required, new.skills_preferred, new.responsibilities, new.requirements,
      new.nice_to_have, new.benefits)
    is not distinct from (old.title, old.department, old.team, old.locations, old.location_type, old.employment_type,
      old.summary, old.description_md, old.skills_required, old.skills_preferred, old.responsibilities, old.requirements,
      old.nice_to_have, old.benefits)
  then
    update job_search set updated_at = new.updated_at, status = new.status, published_at = new.published_at,
      terms = case when new.published_at is not distinct from published_at then terms else
        ts_delete(terms, job_published_terms(published_at)) || array_to_tsvector(job_published_terms(new.published_at)) end
    where workspace_id = new.workspace_id and id = new.id;
    if found then
      return null;
    end if;
  end if;
  perform job_search_put(new.workspace_id, new.id, new.updated_at, new.status, new.department, new.location_type,
    new.employment_type, new.published_at, new.source_system, new.source_external_id,
    concat_ws(' ', new.title, new.department, new.team,
      (select string_agg(place, ' ') from jsonb_array_elements_text(new.locations) place),
      job_fact_words(new.location_type, new.employment_type), new.summary,
      (select string_agg(item, ' ') from jsonb_array_elements_text(new.skills_required || new.skills_preferred
        || new.requirements || new.responsibilities || new.nice_to_have || new.benefits) item),
      new.description_md));
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.job_search_put(workspace text, job text, updated timestamp with time zone, job_status text, job_department text, job_location_type text, job_employment_type text, published timestamp with time zone, job_source_system text, job_source_external_id text, content text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.job_search_rebuild(batch integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  old record;
  changed integer := 0;
begin
  for old in select workspace_id, id from job_search where layout = 1 limit batch loop
    delete from job_search where workspace_id = old.workspace_id and id = old.id;
    update jobs set status = status where workspace_id = old.workspace_id and id = old.id;
    changed := changed + 1;
  end loop;
  return changed;
end
$function$
;

CREATE OR REPLACE FUNCTION public.job_search_text(words text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select regexp_replace(regexp_replace(regexp_replace(
    regexp_replace(
      replace(replace(replace(replace(lower(words), 'c++', ' cplusplus '), 'c#', ' csharp '), 'f#', ' fsharp '),
        '.net', ' dotnet '),
      '[!-/:-@\[-`{-~]+', ' ', 'g'),
    '\m(full|part)\s+time\M', '\1time', 'g'), '\m(on\s+site|vor\s+ort)\M', 'onsite', 'g'),
    '\mhome\s+office\M', 'homeoffice', 'g')
$function$
;

CREATE OR REPLACE FUNCTION public.job_search_write(j jobs)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  words text[];
begin
  words := array(
    select w.lexeme
    from unnest(to_tsvector('job_plain', job_search_text(concat_ws(' ', j.title, j.department, j.summary,
      (select string_agg(skill, ' ') from jsonb_array_elements_text(j.skills_required || j.skills_preferred) skill),
      j.description_md)))) as w
    order by w.positions[1], w.lexeme limit 2000);
  insert into job_search (workspace_id, id, updated_at, status, department, location_type, employment_type,
    published_at, source_system, source_external_id, terms)
  values (j.workspace_id, j.id, j.updated_at, j.status, j.department, j.location_type, j.employment_type,
    j.published_at, j.source_system, j.source_external_id,
    array_to_tsvector(array(select (ts_lexize('job_stem', word))[1] from unnest(words) word)
      || job_published_terms(j.published_at)))
  on conflict (workspace_id, id) do update set updated_at = excluded.updated_at, status = excluded.status,
    department = excluded.department, location_type = excluded.location_type,
    employment_type = excluded.employment_type, published_at = excluded.published_at,
    source_system = excluded.source_system, source_external_id = excluded.source_external_id, terms = excluded.terms;
  -- Nearly all are there already, so each is looked up first. In the order of the words, so that two writers of the
  -- same new ones wait for each other in one direction only.
  insert into job_words (workspace_id, word, lexeme)
  select j.workspace_id, w.word, (ts_lexize('job_stem', w.word))[1]
  from unnest(words) as w (word)
  where length(w.word) between 3 and 40 and w.word !~ '^[0-9]+$'
    and (select k.word from job_words k where k.workspace_id = j.workspace_id and k.word = w.word) is null
  order by w.word collate "C"
  on conflict do nothing;
end
$function$
;

CREATE OR REPLACE FUNCTION public.job_words_like(workspace text, misspelt text)
 RETURNS TABLE(word text, lexeme text)
 LANGUAGE sql
 STABLE
 SET "pg_trgm.similarity_threshold" TO '0.2'
AS $function$
  select w.word, w.lexeme from job_words w
  where w.workspace_id = workspace and w.word % misspelt and abs(length(w.word) - length(misspelt)) <= 2
  order by similarity(w.word, misspelt) desc, w.word
  limit 40
$function$
;

CREATE OR REPLACE FUNCTION public.note_funnel_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.note_key_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- a row of another transaction has this id only in a copy of another server's database
  insert into key_changes (id) values (pg_current_xact_id())
  on conflict (id) do update set made_at = excluded.made_at where key_changes.xmin <> pg_current_xact_id()::xid;
  if not found then
    return null;
  end if;
  perform pg_notify('key_changes', '');
  if current_setting('hiring.waits_for_key_caches', true) = 'on'
    and current_setting('client_min_messages') not in ('warning', 'error') then
    raise notice using errcode = 'HPK01', message = 'a key changed', detail = pg_current_xact_id()::text;
    return null;
  end if;
  lock table key_caches in share mode;
  if current_setting('transaction_isolation') <> 'read committed'
    or not exists (select from key_caches where id = '00000000-0000-0000-0000-000000000000') then
    perform pg_sleep(3);
  end if;
  -- at most as long as a lease lasts, also if the clock was set back
  for i in 1..150 loop
    exit when not exists (select from key_caches where renewed_at > clock_timestamp() - interval '3 seconds');
    perform pg_sleep(0.02);
  end loop;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.note_stage_entry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    -- a copy of an application brings its time along
    new.stage_entered_at := coalesce(new.stage_entered_at, new.updated_at);
  elsif new.stage_id is distinct from old.stage_id then
    new.stage_entered_at := case when new.updated_at > old.updated_at then new.updated_at else app_now() end;
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.note_stage_type()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.to_stage_type := coalesce(new.to_stage_type,
    (select type from pipeline_stages where workspace_id = new.workspace_id and id = new.to_stage_id));
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION public.open_event_log()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into event_logs (workspace_id) values (new.id);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.phone_key(phone text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when length(digits) >= 9 then right(digits, 9) end
  from regexp_replace(phone, '\D', '', 'g') digits
$function$
;

CREATE OR REPLACE FUNCTION public.raise_key_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_table_name = 'workspaces' then
    update api_key_secrets set version = version + 1 where workspace_id = new.id;
    if new.closing_at is distinct from old.closing_at then
      update api_key_secrets s set version = s.version + 1 from api_keys k
      where k.workspace_ids @> array[new.id::text] and k.workspace_id <> new.id
        and s.workspace_id = k.workspace_id and s.key_id = k.id;
    end if;
  else
    update api_key_secrets set version = version + 1 where workspace_id = new.workspace_id and key_id = new.id;
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_credit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'entries of the credit ledger cannot be changed or deleted';
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_environment_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the environment of a workspace is fixed when it is created';
end
$function$
;

CREATE OR REPLACE FUNCTION public.resume_workspaces_waiting()
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  rows_per_step constant integer := 16;
  last_workspace handle := '';
  step_rows integer;
  one record;
begin
  loop
    step_rows := 0;
    for one in
      select r.workspace_id as workspace from resumes r
      where r.parse_status in ('pending', 'parsing') and r.workspace_id > last_workspace
      order by r.workspace_id limit rows_per_step
    loop
      step_rows := step_rows + 1;
      continue when one.workspace = last_workspace;
      last_workspace := one.workspace;
      return next one.workspace;
    end loop;
    exit when step_rows < rows_per_step;
  end loop;
end
$function$
;

CREATE OR REPLACE FUNCTION public.search_all(words text[], shortest integer, weights text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select string_agg('''' || word || '''' || case
    when length(word) >= shortest then ':*' || weights
    when weights <> '' then ':' || weights
    else '' end, ' & ')
  from unnest(words) word
$function$
;

CREATE OR REPLACE FUNCTION public.search_fold(words text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  -- most texts are ASCII, for which this is all
  select case when octet_length(words) = length(words) then lower(words)
    else lower(public.unaccent('public.unaccent',
      regexp_replace(normalize(lower(words), NFC), '[\u0300-\u036f]', '', 'g'))) end
$function$
;

CREATE OR REPLACE FUNCTION public.search_fold_german(words text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when octet_length(words) = length(words) then lower(words)
    else search_fold(replace(replace(replace(replace(replace(replace(normalize(words, NFC),
      'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'Ä', 'Ae'), 'Ö', 'Oe'), 'Ü', 'Ue')) end
$function$
;

CREATE OR REPLACE FUNCTION public.search_query(typed text, shortest integer, weights text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(string_agg('(' || concat_ws(' | ', '(' || plain || ')', '(' || nullif(german, plain) || ')') || ')',
    ' & '), '')::tsquery
  from (
    select search_all(search_words(search_fold(part)), shortest, weights) as plain,
      search_all(search_words(search_fold_german(part)), shortest, weights) as german
    from regexp_split_to_table(typed, '\s+') with ordinality as p (part, place) where place <= 8
  ) parts where plain is not null
$function$
;

CREATE OR REPLACE FUNCTION public.search_terms(words text[], weight text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when cardinality(words) = 0 then ''::tsvector else
    ('''' || array_to_string(words, ''':' || strpos('ABCD', weight) || weight || ' ''')
      || ''':' || strpos('ABCD', weight) || weight)::tsvector end
$function$
;

CREATE OR REPLACE FUNCTION public.search_words(folded text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when folded = '' then '{}'::text[] else array_remove(regexp_split_to_array(
    case when strpos(folded, '.') > 0 or length(folded) > 40
      then regexp_replace(regexp_replace(regexp_replace(left(folded, 20000),
        '([a-z])\.js\M', '\1js', 'g'), '(^|[^a-z0-9])\.net\M', '\1dotnet', 'g'), '(\S{40})\S+', '\1', 'g')
      else folded end,
    '[\s\u00a0\u2000-\u206f\u3000!-"$-*,-/:-@\[-`{-~]+'), '') end
$function$
;

CREATE OR REPLACE FUNCTION public.uncount_application()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('hiring.retention', true) = 'on' then
    update application_funnel set gone = true where workspace_id = old.workspace_id and application_id = old.id;
  else
    delete from application_funnel
    where workspace_id = old.workspace_id and application_id = old.id and gone is not true;
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.webhook_endpoints_waiting(after_workspace text, after_endpoint uuid, most integer)
 RETURNS TABLE(workspace_id text, endpoint_id uuid, key_id text)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  rows_per_step constant integer := 16;
  last_workspace handle := after_workspace;
  last_endpoint uuid := after_endpoint;
  step_rows integer;
  endpoints integer := 0;
  one record;
begin
  loop
    step_rows := 0;
    for one in
      select d.workspace_id as workspace, d.endpoint_id as endpoint, d.key_id as key from webhook_deliveries d
      where d.status in ('pending', 'retrying') and d.ready and (d.workspace_id, d.endpoint_id) > (last_workspace, last_endpoint)
      order by d.workspace_id, d.endpoint_id limit rows_per_step
    loop
      step_rows := step_rows + 1;
      continue when one.workspace = last_workspace and one.endpoint = last_endpoint;
      last_workspace := one.workspace;
      last_endpoint := one.endpoint;
      workspace_id := one.workspace;
      endpoint_id := one.endpoint;
      key_id := one.key;
      return next;
      endpoints := endpoints + 1;
      exit when endpoints >= most;
    end loop;
    exit when step_rows < rows_per_step or endpoints >= most;
  end loop;
end
$function$
;

create table alert_notifications (
  workspace_id handle not null,
  id uuid default gen_random_uuid() not null,
  alert_id uuid not null,
  channel text not null,
  event text not null,
  user_id handle,
  attempt integer default 0 not null,
  due_at timestamp(3) with time zone default app_now(),
  sent_at timestamp(3) with time zone,
  UNIQUE NULLS NOT DISTINCT (workspace_id, alert_id, channel, event, user_id),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, alert_id) REFERENCES alerts(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE,
  CHECK ((channel = ANY (ARRAY['mail'::text, 'webhook'::text]))),
  CHECK (((channel = 'mail'::text) = (user_id IS NOT NULL))),
  CHECK ((event = ANY (ARRAY['opened'::text, 'resolved'::text])))
);

create table alert_preferences (
  workspace_id handle not null,
  user_id handle not null,
  mail boolean not null,
  muted_kinds text[] not null,
  PRIMARY KEY (workspace_id, user_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);

create table alert_webhooks (
  workspace_id handle not null,
  id uuid not null,
  url text not null,
  muted_kinds text[] not null,
  secret_version integer default 1 not null,
  sealed bytea not null,
  previous_sealed bytea,
  previous_expires_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default app_now() not null,
  last_attempt_at timestamp(3) with time zone,
  last_response_status integer,
  last_error text,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table alerts (
  workspace_id handle not null,
  id uuid default gen_random_uuid() not null,
  kind text not null,
  subject_id text not null,
  step text not null,
  period text not null,
  level text not null,
  details jsonb not null,
  opened_at timestamp(3) with time zone default app_now() not null,
  acknowledged_at timestamp(3) with time zone,
  acknowledged_by handle,
  resolved_at timestamp(3) with time zone,
  UNIQUE (workspace_id, kind, subject_id, step, period),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((level = ANY (ARRAY['warning'::text, 'critical'::text])))
);

create table api_key_secrets (
  secret_hash text not null,
  workspace_id handle not null,
  key_id handle not null,
  issue bigint generated always as identity not null,
  created_at timestamp(3) with time zone default app_now() not null,
  expires_at timestamp(3) with time zone,
  version bigint default 1 not null,
  last_used_at timestamp(3) with time zone,
  last_used_address text,
  last_used_agent text,
  last_used_sdk text,
  PRIMARY KEY (secret_hash),
  FOREIGN KEY (workspace_id, key_id) REFERENCES api_keys(workspace_id, id) ON DELETE CASCADE
);

create table api_keys (
  workspace_id handle not null,
  id handle not null,
  user_id handle,
  name text not null,
  environment text not null,
  scopes text[] not null,
  workspace_scope text not null,
  workspace_ids text[] default '{}'::text[] not null,
  ip_allowlist text[] default '{}'::text[] not null,
  created_at timestamp(3) with time zone default app_now() not null,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  granted_scopes text[] not null,
  installation_id handle,
  personal_data_reads_per_day integer,
  suspended_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, installation_id) REFERENCES installations(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id),
  CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
  CHECK ((workspace_scope = ANY (ARRAY['single'::text, 'list'::text, 'all'::text])))
);

create table app_consents (
  workspace_id handle not null,
  id handle not null,
  app_id uuid not null,
  user_id handle not null,
  scopes text[] not null,
  granted_at timestamp(3) with time zone default app_now() not null,
  revoked_at timestamp(3) with time zone,
  UNIQUE (workspace_id, app_id, user_id),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, app_id) REFERENCES connected_apps(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);

create table applicant_requests (
  workspace_id handle not null,
  id uuid default gen_random_uuid() not null,
  applicant_id handle not null,
  kind text not null,
  user_id handle not null,
  at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, applicant_id) REFERENCES applicants(workspace_id, id) ON DELETE CASCADE,
  CHECK ((kind = ANY (ARRAY['data_sent'::text, 'data_downloaded'::text])))
);

create table applicants (
  workspace_id handle not null,
  id handle not null,
  first_name text,
  last_name text,
  full_name text,
  email text,
  email_key text,
  phone text,
  location text,
  linkedin_url text,
  linkedin_key text,
  github_url text,
  portfolio_url text,
  origin text default 'applicant'::text not null,
  acquisition text default 'inbound_application'::text not null,
  provider text,
  consent_basis text default 'candidate_submitted'::text not null,
  external_refs jsonb default '[]'::jsonb not null,
  first_seen_at timestamp(3) with time zone default app_now() not null,
  last_seen_at timestamp(3) with time zone default app_now() not null,
  unsubscribed_at timestamp(3) with time zone,
  suppressed_at timestamp(3) with time zone,
  application_count integer default 0 not null,
  created_at timestamp(3) with time zone default app_now() not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  unproved boolean default false not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((origin = ANY (ARRAY['applicant'::text, 'ats_import'::text, 'sourced'::text])))
);

create table application_answers (
  workspace_id handle not null,
  application_id handle not null,
  answers jsonb not null,
  PRIMARY KEY (workspace_id, application_id),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE
);

create table application_files (
  workspace_id handle not null,
  id uuid default gen_random_uuid() not null,
  application_id handle not null,
  field_id text not null,
  filename text not null,
  mime text not null,
  bytes integer not null,
  blob_key text not null,
  created_at timestamp(3) with time zone default app_now() not null,
  UNIQUE (workspace_id, application_id, field_id),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE
);

create table application_funnel (
  applied_at timestamp(3) with time zone not null,
  code smallint not null,
  lot smallint not null,
  job integer not null,
  days_to_hire real,
  workspace_id handle not null,
  application_id handle not null,
  source text not null,
  hours real[],
  stages text[] not null,
  stays real[],
  gone boolean,
  PRIMARY KEY (workspace_id, application_id)
);

create table application_private_answers (
  workspace_id handle not null,
  application_id handle not null,
  equal_opportunity jsonb default '{}'::jsonb not null,
  consents jsonb default '{}'::jsonb not null,
  prescreen jsonb default '{}'::jsonb not null,
  PRIMARY KEY (workspace_id, application_id),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE
);

create table application_scores (
  workspace_id handle not null,
  application_id handle not null,
  match_pct integer not null,
  gaps jsonb default '[]'::jsonb not null,
  rationale text,
  model_version text not null,
  scored_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, application_id),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE,
  CHECK (((match_pct >= 0) AND (match_pct <= 100)))
);

create table application_search (
  workspace_id handle not null,
  application_id handle not null,
  job_id handle not null,
  applicant_id handle,
  name_key text default ''::text not null,
  names tsvector default ''::tsvector not null,
  terms tsvector default ''::tsvector not null,
  PRIMARY KEY (workspace_id, application_id),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE
);

create table application_tags (
  workspace_id handle not null,
  application_id handle not null,
  tag_key text not null,
  name text not null,
  created_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, application_id, tag_key),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE
);

create table applications (
  workspace_id handle not null,
  id handle not null,
  job_id handle not null,
  applicant_id handle,
  stage_id handle not null,
  status text default 'new'::text not null,
  source text not null,
  source_system text,
  source_external_id text,
  applied_at timestamp(3) with time zone default app_now() not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  parse_status text,
  has_resume boolean default false not null,
  resume_unlocked_at timestamp(3) with time zone,
  resume_access_state text,
  resume_access_changes_at timestamp(3) with time zone,
  voice_screening_opted_out boolean default false not null,
  screening_phone text,
  rejection_reason text,
  hired_at timestamp(3) with time zone,
  withdrawal_reason text,
  stage_entered_at timestamp(3) with time zone,
  unproved boolean default false not null,
  notice_given_on date,
  usable_score integer default '-1'::integer,
  rejection_reason_id text,
  withdrawal_reason_id text,
  withdrawn_by text,
  start_date text,
  owner_user_id handle,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, applicant_id) REFERENCES applicants(workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, job_id) REFERENCES jobs(workspace_id, id),
  FOREIGN KEY (workspace_id, stage_id) REFERENCES pipeline_stages(workspace_id, id),
  CHECK ((parse_status = ANY (ARRAY['pending'::text, 'parsing'::text, 'parsed'::text, 'failed'::text]))),
  CHECK ((resume_access_state = ANY (ARRAY['open'::text, 'view_only'::text, 'locked'::text, 'unlocked'::text]))),
  CHECK ((status = ANY (ARRAY['new'::text, 'in_review'::text, 'advanced'::text, 'rejected'::text, 'withdrawn'::text, 'hired'::text])))
);

create table attachments (
  workspace_id handle not null,
  profile_id handle not null,
  type text not null,
  filename text not null,
  mime text not null,
  bytes integer not null,
  blob_key text not null,
  uploaded_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, profile_id, type),
  FOREIGN KEY (workspace_id, profile_id) REFERENCES sourced_profiles(workspace_id, id) ON DELETE CASCADE,
  CHECK ((type = ANY (ARRAY['resume'::text, 'business_card'::text, 'profile_photo'::text])))
);

create table authenticator_apps (
  workspace_id handle not null,
  user_id handle not null,
  secret_sealed bytea not null,
  confirmed_at timestamp(3) with time zone,
  last_step bigint default 0 not null,
  created_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, user_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);

create table blob_deletions (
  blob_key text not null,
  added_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (blob_key)
);

create table candidate_links (
  workspace_id handle not null,
  token_hash text not null,
  applicant_id handle not null,
  purpose text not null,
  new_address text,
  expires_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, token_hash),
  FOREIGN KEY (workspace_id, applicant_id) REFERENCES applicants(workspace_id, id) ON DELETE CASCADE,
  CHECK (((purpose = 'email_change'::text) = (new_address IS NOT NULL))),
  CHECK ((purpose = ANY (ARRAY['confirmation'::text, 'access'::text, 'email_change'::text, 'interview'::text])))
);

create table candidate_mails (
  workspace_id handle not null,
  id uuid default gen_random_uuid() not null,
  kind text not null,
  address text not null,
  application_id handle,
  applicant_id handle,
  language text not null,
  attempt integer default 0 not null,
  due_at timestamp(3) with time zone default app_now(),
  leased_until timestamp(3) with time zone,
  sent_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default app_now() not null,
  opens text,
  order_id handle,
  interview_id uuid,
  says text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((kind = ANY (ARRAY['confirmation'::text, 'already_applied'::text, 'access'::text, 'email_change'::text, 'email_changed'::text, 'check_invitation'::text, 'check_reminder'::text, 'check_canceled'::text, 'interview_times'::text, 'interview_invitation'::text, 'interview_canceled'::text, 'data_copy'::text]))),
  CHECK ((opens = ANY (ARRAY['details'::text, 'erasure'::text])))
);

create table candidate_sessions (
  workspace_id handle not null,
  token_hash text not null,
  id uuid default gen_random_uuid() not null,
  applicant_id handle not null,
  proof text not null,
  created_at timestamp(3) with time zone default app_now() not null,
  expires_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, token_hash),
  FOREIGN KEY (workspace_id, applicant_id) REFERENCES applicants(workspace_id, id) ON DELETE CASCADE,
  CHECK ((proof = ANY (ARRAY['confirmation'::text, 'access'::text])))
);

create table career_sites (
  workspace_id handle not null,
  slug text not null,
  enabled boolean default true not null,
  display_name text,
  headline text,
  introduction_md text,
  accent_color text,
  logo_blob_key text,
  logo_mime text,
  website_url text,
  privacy_url text,
  country text,
  confirmations jsonb default '{}'::jsonb not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  contact_email text,
  imprint_url text,
  listed boolean default false not null,
  logo_width integer,
  logo_height integer,
  UNIQUE (slug),
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (slug) REFERENCES career_slugs(slug),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((accent_color ~ '^#[0-9a-f]{6}$'::text)),
  CHECK (((logo_blob_key IS NULL) = (logo_mime IS NULL))),
  CHECK ((country ~ '^[A-Z]{2}$'::text))
);

create table career_slugs (
  slug text not null,
  workspace_id handle not null,
  PRIMARY KEY (slug),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(slug) <= 60)))
);

create table company_domains (
  domain text not null,
  workspace_id handle not null,
  PRIMARY KEY (domain),
  FOREIGN KEY (workspace_id) REFERENCES company_sign_in(workspace_id) ON DELETE CASCADE
);

create table company_identities (
  workspace_id handle not null,
  user_id handle not null,
  subject text not null,
  linked_at timestamp(3) with time zone default app_now() not null,
  refused_at timestamp(3) with time zone,
  UNIQUE (workspace_id, subject),
  PRIMARY KEY (workspace_id, user_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);

create table company_logout_tokens (
  workspace_id handle not null,
  token_hash text not null,
  expires_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, token_hash),
  FOREIGN KEY (workspace_id) REFERENCES company_sign_in(workspace_id) ON DELETE CASCADE
);

create table company_sign_in (
  workspace_id handle not null,
  issuer text not null,
  client_id text not null,
  client_secret_sealed bytea not null,
  enabled boolean default false not null,
  enforced boolean default false not null,
  creates_members boolean default false not null,
  trusts_email boolean default false not null,
  role_claim text,
  role_rules jsonb default '[]'::jsonb not null,
  default_role text,
  version integer default 1 not null,
  created_at timestamp(3) with time zone default app_now() not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  ends_provider_session boolean default false not null,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((enabled OR (NOT enforced))),
  CHECK ((default_role = ANY (ARRAY['admin'::text, 'member'::text, 'viewer'::text])))
);

create table company_sign_in_flows (
  token_hash text not null,
  workspace_id handle not null,
  purpose text not null,
  version integer not null,
  return_to text,
  expires_at timestamp(3) with time zone not null,
  authenticate_since timestamp(3) with time zone,
  PRIMARY KEY (token_hash),
  FOREIGN KEY (workspace_id) REFERENCES company_sign_in(workspace_id) ON DELETE CASCADE,
  CHECK ((purpose = ANY (ARRAY['sign_in'::text, 'test'::text])))
);

create table company_sign_in_log (
  workspace_id handle not null,
  id bigint generated always as identity not null,
  at timestamp(3) with time zone default app_now() not null,
  event text not null,
  user_id handle,
  actor_id handle,
  detail jsonb default '{}'::jsonb not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table connected_app_secrets (
  secret_hash text not null,
  workspace_id handle not null,
  app_id uuid not null,
  issue bigint generated always as identity not null,
  created_at timestamp(3) with time zone default app_now() not null,
  expires_at timestamp(3) with time zone,
  PRIMARY KEY (secret_hash),
  FOREIGN KEY (workspace_id, app_id) REFERENCES connected_apps(workspace_id, id) ON DELETE CASCADE
);

create table connected_apps (
  workspace_id handle not null,
  id uuid not null,
  name text not null,
  kind text not null,
  redirect_uris text[] not null,
  scopes text[] not null,
  created_by handle,
  created_at timestamp(3) with time zone default app_now() not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  revoked_at timestamp(3) with time zone,
  distribution text default 'workspace'::text not null,
  optional_scopes text[] default '{}'::text[] not null,
  publisher text,
  domains text[] default '{}'::text[] not null,
  ip_allowlist text[] default '{}'::text[] not null,
  review_status text,
  proposed jsonb,
  suspended_at timestamp(3) with time zone,
  credential_id handle,
  live_endpoint_id uuid,
  test_endpoint_id uuid,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK (((distribution = 'installable'::text) = ((review_status IS NOT NULL) AND (credential_id IS NOT NULL) AND (publisher IS NOT NULL)))),
  CHECK ((distribution = ANY (ARRAY['workspace'::text, 'installable'::text]))),
  CHECK ((kind = ANY (ARRAY['web'::text, 'browser'::text, 'native'::text]))),
  CHECK ((review_status = ANY (ARRAY['draft'::text, 'in_review'::text, 'approved'::text])))
);

create table contact_values (
  workspace_id handle not null,
  subject_object text not null,
  subject_id handle not null,
  field text not null,
  value text not null,
  kind text not null,
  status text default 'unverified'::text not null,
  verified_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default app_now() not null,
  email_key text,
  PRIMARY KEY (workspace_id, subject_object, subject_id, field, value),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((field = ANY (ARRAY['email'::text, 'phone'::text]))),
  CHECK ((kind = ANY (ARRAY['work'::text, 'personal'::text, 'submitted'::text, 'mobile'::text, 'other'::text]))),
  CHECK ((status = ANY (ARRAY['verified'::text, 'unverified'::text, 'invalid'::text]))),
  CHECK ((subject_object = ANY (ARRAY['applicant'::text, 'sourced_profile'::text])))
);

create table credit_balances (
  workspace_id handle not null,
  balance integer not null,
  entries bigint not null,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((balance >= 0)),
  CHECK ((entries >= 1))
);

create table credit_entries (
  workspace_id handle not null,
  sequence bigint not null,
  kind text not null,
  amount integer not null,
  balance integer not null,
  user_id handle,
  subject_id handle,
  note text,
  created_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, sequence),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((amount <> 0)),
  CHECK ((balance >= 0)),
  CHECK (((kind = 'grant'::text) = (amount > 0))),
  CHECK (((kind = 'grant'::text) = (subject_id IS NULL))),
  CHECK ((kind = ANY (ARRAY['grant'::text, 'resume_unlock'::text, 'contact_reveal'::text])))
);

create table decision_reasons (
  workspace_id handle not null,
  id text not null,
  side text not null,
  names jsonb not null,
  "position" integer not null,
  template_id uuid,
  archived boolean default false not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((side = ANY (ARRAY['reject'::text, 'withdraw'::text])))
);

create table erasure_inquiries (
  workspace_id handle not null,
  id uuid not null,
  erasure_id uuid not null,
  reason text not null,
  identifiers jsonb not null,
  due_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (erasure_id) REFERENCES erasures(id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((reason = ANY (ARRAY['erasure_request'::text, 'stop_processing'::text, 'legal_request'::text])))
);

create table erasure_request_usage (
  workspace_id handle not null,
  day date not null,
  used integer not null,
  PRIMARY KEY (workspace_id, day),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table erasure_requests (
  id uuid not null,
  workspace_id handle,
  erasure_id uuid not null,
  reason text not null,
  state text default 'open'::text not null,
  requested_at timestamp(3) with time zone default app_now() not null,
  identifiers jsonb,
  digests text[] not null,
  decided_at timestamp(3) with time zone,
  decided_by text,
  note text,
  suppression_id uuid,
  notify_at timestamp(3) with time zone,
  PRIMARY KEY (id),
  FOREIGN KEY (erasure_id) REFERENCES erasures(id),
  FOREIGN KEY (suppression_id) REFERENCES suppressions(id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK (((state = 'open'::text) = (identifiers IS NOT NULL))),
  CHECK (((state = 'open'::text) = (decided_at IS NULL))),
  CHECK ((reason = ANY (ARRAY['erasure_request'::text, 'stop_processing'::text, 'legal_request'::text]))),
  CHECK ((state = ANY (ARRAY['open'::text, 'approved'::text, 'declined'::text, 'superseded'::text])))
);

create table erasure_targets (
  erasure_id uuid not null,
  object text not null,
  id text not null,
  workspace_id handle,
  done_at timestamp(3) with time zone,
  PRIMARY KEY (erasure_id, object, id),
  FOREIGN KEY (erasure_id) REFERENCES erasures(id) ON DELETE CASCADE
);

create table erasures (
  id uuid not null,
  suppression_id uuid not null,
  requested_by text not null,
  requested_at timestamp(3) with time zone default app_now() not null,
  identifiers jsonb,
  completed_at timestamp(3) with time zone,
  asked_in handle,
  UNIQUE (suppression_id),
  PRIMARY KEY (id),
  FOREIGN KEY (suppression_id) REFERENCES suppressions(id)
);

create table event_logs (
  workspace_id handle not null,
  last_sequence bigint default 0 not null,
  oldest_sequence bigint default 1 not null,
  lost int8multirange default '{}'::int8multirange not null,
  epoch text,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table events (
  sequence bigint not null,
  workspace_id handle not null,
  id handle not null,
  type text not null,
  origin_key_id handle,
  created_at timestamp(3) with time zone not null,
  body text not null,
  audience handle,
  PRIMARY KEY (workspace_id, sequence)
);

create table exports (
  workspace_id handle not null,
  id uuid not null,
  key_id handle not null,
  resources text[] not null,
  scopes text[] not null,
  status text default 'pending'::text not null,
  as_of_sequence bigint,
  rows_done bigint default 0 not null,
  rows_total bigint,
  files jsonb default '[]'::jsonb not null,
  leased_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone default app_now() not null,
  expires_at timestamp(3) with time zone not null,
  acting_user_id handle,
  attempt uuid,
  tries integer default 0 not null,
  swept boolean default false not null,
  view text default 'list'::text not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'ready'::text, 'failed'::text, 'expired'::text]))),
  CHECK ((view = ANY (ARRAY['list'::text, 'full'::text])))
);

create table feed_state (
  only_row boolean default true not null,
  epoch text default md5((gen_random_uuid())::text) not null,
  PRIMARY KEY (only_row),
  CHECK (only_row)
);

create table file_deletions (
  workspace_id handle not null,
  blob_key text not null,
  added_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, blob_key)
);

create table form_fields (
  workspace_id handle not null,
  id text not null,
  job_id handle,
  "position" integer not null,
  label text not null,
  type text not null,
  required boolean default false not null,
  section text,
  help_text text,
  options jsonb default '[]'::jsonb not null,
  max_length integer,
  candidate_field text,
  deleted_at timestamp(3) with time zone,
  version integer default 1 not null,
  condition jsonb,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, job_id) REFERENCES jobs(workspace_id, id) ON DELETE CASCADE,
  CHECK ((candidate_field = ANY (ARRAY['name'::text, 'email'::text, 'phone'::text, 'linkedin'::text, 'resume'::text]))),
  CHECK ((type = ANY (ARRAY['text'::text, 'textarea'::text, 'select'::text, 'multiselect'::text, 'boolean'::text, 'number'::text, 'date'::text, 'url'::text, 'email'::text, 'phone'::text, 'file'::text, 'section'::text, 'consent'::text, 'eeo'::text])))
);

create table funnel_by_day (
  workspace_id handle not null,
  source text not null,
  since date not null,
  n integer not null,
  at_0_0 integer not null,
  at_0_1 integer not null,
  at_0_2 integer not null,
  at_0_3 integer not null,
  at_0_4 integer not null,
  at_0_5 integer not null,
  at_1_0 integer not null,
  at_1_1 integer not null,
  at_1_2 integer not null,
  at_1_3 integer not null,
  at_1_4 integer not null,
  at_1_5 integer not null,
  at_2_0 integer not null,
  at_2_1 integer not null,
  at_2_2 integer not null,
  at_2_3 integer not null,
  at_2_4 integer not null,
  at_2_5 integer not null,
  at_3_0 integer not null,
  at_3_1 integer not null,
  at_3_2 integer not null,
  at_3_3 integer not null,
  at_3_4 integer not null,
  at_3_5 integer not null,
  at_4_0 integer not null,
  at_4_1 integer not null,
  at_4_2 integer not null,
  at_4_3 integer not null,
  at_4_4 integer not null,
  at_4_5 integer not null,
  at_5_0 integer not null,
  at_5_1 integer not null,
  at_5_2 integer not null,
  at_5_3 integer not null,
  at_5_4 integer not null,
  at_5_5 integer not null,
  at_6_0 integer not null,
  at_6_1 integer not null,
  at_6_2 integer not null,
  at_6_3 integer not null,
  at_6_4 integer not null,
  at_6_5 integer not null,
  at_7_0 integer not null,
  at_7_1 integer not null,
  at_7_2 integer not null,
  at_7_3 integer not null,
  at_7_4 integer not null,
  at_7_5 integer not null,
  reached_0 integer not null,
  reached_1 integer not null,
  reached_2 integer not null,
  reached_3 integer not null,
  reached_4 integer not null,
  reached_5 integer not null,
  reached_6 integer not null,
  reached_7 integer not null,
  PRIMARY KEY (workspace_id, since, source),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table funnel_by_job (
  workspace_id handle not null,
  since date not null,
  job integer not null,
  n integer not null,
  at_0_0 integer not null,
  at_0_1 integer not null,
  at_0_2 integer not null,
  at_0_3 integer not null,
  at_0_4 integer not null,
  at_0_5 integer not null,
  at_1_0 integer not null,
  at_1_1 integer not null,
  at_1_2 integer not null,
  at_1_3 integer not null,
  at_1_4 integer not null,
  at_1_5 integer not null,
  at_2_0 integer not null,
  at_2_1 integer not null,
  at_2_2 integer not null,
  at_2_3 integer not null,
  at_2_4 integer not null,
  at_2_5 integer not null,
  at_3_0 integer not null,
  at_3_1 integer not null,
  at_3_2 integer not null,
  at_3_3 integer not null,
  at_3_4 integer not null,
  at_3_5 integer not null,
  at_4_0 integer not null,
  at_4_1 integer not null,
  at_4_2 integer not null,
  at_4_3 integer not null,
  at_4_4 integer not null,
  at_4_5 integer not null,
  at_5_0 integer not null,
  at_5_1 integer not null,
  at_5_2 integer not null,
  at_5_3 integer not null,
  at_5_4 integer not null,
  at_5_5 integer not null,
  at_6_0 integer not null,
  at_6_1 integer not null,
  at_6_2 integer not null,
  at_6_3 integer not null,
  at_6_4 integer not null,
  at_6_5 integer not null,
  at_7_0 integer not null,
  at_7_1 integer not null,
  at_7_2 integer not null,
  at_7_3 integer not null,
  at_7_4 integer not null,
  at_7_5 integer not null,
  reached_0 integer not null,
  reached_1 integer not null,
  reached_2 integer not null,
  reached_3 integer not null,
  reached_4 integer not null,
  reached_5 integer not null,
  reached_6 integer not null,
  reached_7 integer not null,
  PRIMARY KEY (workspace_id, since, job),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table funnel_by_job_and_source (
  workspace_id handle not null,
  source text not null,
  since date not null,
  job integer not null,
  n integer not null,
  at_0_0 integer not null,
  at_0_1 integer not null,
  at_0_2 integer not null,
  at_0_3 integer not null,
  at_0_4 integer not null,
  at_0_5 integer not null,
  at_1_0 integer not null,
  at_1_1 integer not null,
  at_1_2 integer not null,
  at_1_3 integer not null,
  at_1_4 integer not null,
  at_1_5 integer not null,
  at_2_0 integer not null,
  at_2_1 integer not null,
  at_2_2 integer not null,
  at_2_3 integer not null,
  at_2_4 integer not null,
  at_2_5 integer not null,
  at_3_0 integer not null,
  at_3_1 integer not null,
  at_3_2 integer not null,
  at_3_3 integer not null,
  at_3_4 integer not null,
  at_3_5 integer not null,
  at_4_0 integer not null,
  at_4_1 integer not null,
  at_4_2 integer not null,
  at_4_3 integer not null,
  at_4_4 integer not null,
  at_4_5 integer not null,
  at_5_0 integer not null,
  at_5_1 integer not null,
  at_5_2 integer not null,
  at_5_3 integer not null,
  at_5_4 integer not null,
  at_5_5 integer not null,
  at_6_0 integer not null,
  at_6_1 integer not null,
  at_6_2 integer not null,
  at_6_3 integer not null,
  at_6_4 integer not null,
  at_6_5 integer not null,
  at_7_0 integer not null,
  at_7_1 integer not null,
  at_7_2 integer not null,
  at_7_3 integer not null,
  at_7_4 integer not null,
  at_7_5 integer not null,
  reached_0 integer not null,
  reached_1 integer not null,
  reached_2 integer not null,
  reached_3 integer not null,
  reached_4 integer not null,
  reached_5 integer not null,
  reached_6 integer not null,
  reached_7 integer not null,
  PRIMARY KEY (workspace_id, source, since, job),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table funnel_changes (
  id bigint generated always as identity not null,
  workspace_id handle not null,
  applied_on date not null,
  source text not null,
  code smallint not null,
  n integer not null,
  job integer not null,
  PRIMARY KEY (id, workspace_id)
);

create table hiring_settings (
  workspace_id handle not null,
  waiting_days integer,
  reason_language text,
  feedback_hours integer default 24 not null,
  full_names_in_calendars boolean default false not null,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK (((feedback_hours >= 4) AND (feedback_hours <= 168))),
  CHECK (((waiting_days >= 1) AND (waiting_days <= 365)))
);

create table idempotency_records (
  workspace_id handle not null,
  key_id handle not null,
  method text not null,
  path text not null,
  idempotency_key text not null,
  fingerprint bytea not null,
  status smallint not null,
  body text not null,
  created_at timestamp(3) with time zone default app_now() not null,
  expires_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, key_id, method, path, idempotency_key)
);

create table identities (
  workspace_id handle not null,
  kind text not null,
  value text not null,
  person_id handle not null,
  canonical_id handle not null,
  created_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, kind, value),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((kind = ANY (ARRAY['email'::text, 'linkedin_url'::text])))
);

create table imports (
  kind text not null,
  target text not null,
  fingerprint bytea not null,
  bytes_done bigint default 0 not null,
  lines_done bigint default 0 not null,
  rows_stored bigint default 0 not null,
  bad_lines bigint default 0 not null,
  started_at timestamp(3) with time zone default app_now() not null,
  finished_at timestamp(3) with time zone,
  PRIMARY KEY (kind, target, fingerprint)
);

create table install_codes (
  code_hash text not null,
  workspace_id handle not null,
  user_id handle not null,
  app_workspace_id handle not null,
  app_id uuid not null,
  redirect_uri text not null,
  code_challenge text not null,
  scopes text[] not null,
  offered_scopes text[] not null,
  personal_data_reads_per_day integer not null,
  created_at timestamp(3) with time zone default app_now() not null,
  expires_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  key_id handle,
  PRIMARY KEY (code_hash),
  FOREIGN KEY (app_workspace_id, app_id) REFERENCES connected_apps(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);

create table installation (
  only_row boolean default true not null,
  secret_check bytea not null,
  created_at timestamp(3) with time zone default app_now() not null,
  id uuid default gen_random_uuid() not null,
  last_backup_at timestamp(3) with time zone,
  last_backup_name text,
  restored_at timestamp(3) with time zone,
  sending_held_at timestamp(3) with time zone,
  PRIMARY KEY (only_row),
  CHECK (only_row)
);

create table installations (
  workspace_id handle not null,
  id handle not null,
  app_workspace_id handle not null,
  app_id uuid not null,
  user_id handle not null,
  key_id handle not null,
  scopes text[] not null,
  offered_scopes text[] not null,
  personal_data_reads_per_day integer not null,
  installed_by handle,
  key_created_at timestamp(3) with time zone default app_now() not null,
  installed_at timestamp(3) with time zone default app_now() not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  suspended_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  delete_by timestamp(3) with time zone,
  deletion_confirmed_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (app_workspace_id, app_id) REFERENCES connected_apps(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);

create table interview_kits (
  workspace_id handle not null,
  job_id handle not null,
  stage_id handle not null,
  intro text,
  questions jsonb default '[]'::jsonb not null,
  criteria jsonb,
  minutes integer,
  interviewer_user_ids jsonb default '[]'::jsonb not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, stage_id),
  FOREIGN KEY (workspace_id, job_id) REFERENCES jobs(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, stage_id) REFERENCES pipeline_stages(workspace_id, id) ON DELETE CASCADE,
  CHECK (((minutes >= 5) AND (minutes <= 480)))
);

create table interview_people (
  workspace_id handle not null,
  interview_id uuid not null,
  user_id handle not null,
  "position" integer not null,
  PRIMARY KEY (workspace_id, interview_id, user_id),
  FOREIGN KEY (workspace_id, interview_id) REFERENCES interviews(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);

create table interview_times (
  workspace_id handle not null,
  interview_id uuid not null,
  starts_at timestamp(3) with time zone not null,
  ends_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, interview_id, starts_at),
  FOREIGN KEY (workspace_id, interview_id) REFERENCES interviews(workspace_id, id) ON DELETE CASCADE
);

create table interviews (
  workspace_id handle not null,
  id uuid not null,
  application_id handle not null,
  job_id handle not null,
  stage_id handle not null,
  state text not null,
  kind text not null,
  starts_at timestamp(3) with time zone,
  ends_at timestamp(3) with time zone,
  time_zone text not null,
  candidate_time_zone text,
  organizer_id handle not null,
  invites_candidate boolean not null,
  offered_until timestamp(3) with time zone,
  picked_at timestamp(3) with time zone,
  answer text,
  answered_at timestamp(3) with time zone,
  asked_to_move boolean default false not null,
  sequence integer default 0 not null,
  details_sealed bytea not null,
  answer_sealed bytea,
  feedback_asked_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default app_now() not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE,
  CHECK ((answer = ANY (ARRAY['none_fits'::text, 'move'::text, 'canceled'::text]))),
  CHECK (((starts_at IS NULL) = (ends_at IS NULL))),
  CHECK (((state <> ALL (ARRAY['scheduled'::text, 'no_show'::text])) OR (starts_at IS NOT NULL))),
  CHECK ((kind = ANY (ARRAY['onsite'::text, 'video'::text, 'phone'::text]))),
  CHECK ((state = ANY (ARRAY['proposed'::text, 'scheduled'::text, 'no_show'::text, 'canceled'::text])))
);

create table job_history (
  workspace_id handle not null,
  job_id handle not null,
  at timestamp(3) with time zone not null,
  action text not null,
  key_id handle,
  user_id handle,
  fields text[] not null,
  previous jsonb default '{}'::jsonb not null,
  next jsonb default '{}'::jsonb not null,
  PRIMARY KEY (workspace_id, job_id, at),
  FOREIGN KEY (workspace_id, job_id) REFERENCES jobs(workspace_id, id) ON DELETE CASCADE,
  CHECK ((action = ANY (ARRAY['created'::text, 'edited'::text, 'published'::text, 'unpublished'::text, 'closed'::text, 'reopened'::text]))),
  CHECK (((key_id IS NULL) OR (user_id IS NULL)))
);

create table job_rescores (
  workspace_id handle not null,
  job_id handle not null,
  version bigint default 1 not null,
  after_id text default ''::text not null,
  requested_at timestamp(3) with time zone default app_now() not null,
  lease_token uuid,
  leased_until timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, job_id),
  FOREIGN KEY (workspace_id, job_id) REFERENCES jobs(workspace_id, id) ON DELETE CASCADE
);

create table job_search (
  workspace_id handle not null,
  id handle not null,
  updated_at timestamp(3) with time zone not null,
  status text not null,
  department text,
  location_type text,
  employment_type text,
  published_at timestamp(3) with time zone,
  terms tsvector not null,
  source_system text,
  source_external_id text,
  layout smallint default 2 not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, id) REFERENCES jobs(workspace_id, id) ON DELETE CASCADE
);

create table job_team (
  workspace_id handle not null,
  job_id handle not null,
  user_id handle not null,
  added_at timestamp(3) with time zone default app_now() not null,
  role text default 'recruiter'::text not null,
  PRIMARY KEY (workspace_id, job_id, user_id),
  FOREIGN KEY (workspace_id, job_id) REFERENCES jobs(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE,
  CHECK ((role = ANY (ARRAY['recruiter'::text, 'hiring_manager'::text, 'interviewer'::text])))
);

create table job_visits (
  workspace_id handle not null,
  user_id handle not null,
  job_id handle not null,
  at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, user_id, job_id),
  FOREIGN KEY (workspace_id, job_id) REFERENCES jobs(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);

create table job_words (
  workspace_id handle not null,
  word text not null,
  lexeme text not null,
  PRIMARY KEY (workspace_id, word),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table jobs (
  workspace_id handle not null,
  id handle not null,
  slug text not null,
  status text default 'draft'::text not null,
  title text not null,
  department text,
  team text,
  employment_type text,
  location_type text,
  locations jsonb default '[]'::jsonb not null,
  experience_level text,
  years_min double precision,
  years_max double precision,
  salary_min integer,
  salary_max integer,
  salary_currency text,
  salary_interval text,
  salary_equity text,
  salary_commission boolean,
  accept_applications boolean default true not null,
  external_apply_url text,
  source_system text not null,
  source_external_id text,
  source_company_name text,
  source_company_logo_url text,
  source_canonical_url text,
  pushed boolean default false not null,
  summary text,
  description_md text,
  responsibilities jsonb default '[]'::jsonb not null,
  requirements jsonb default '[]'::jsonb not null,
  nice_to_have jsonb default '[]'::jsonb not null,
  skills_required jsonb default '[]'::jsonb not null,
  skills_preferred jsonb default '[]'::jsonb not null,
  benefits jsonb default '[]'::jsonb not null,
  form_is_template boolean default true not null,
  dial_in_code text,
  published_at timestamp(3) with time zone,
  close_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default app_now() not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  number integer generated always as identity not null,
  language text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((employment_type = ANY (ARRAY['full_time'::text, 'part_time'::text, 'contract'::text, 'intern'::text, 'temp'::text]))),
  CHECK ((experience_level = ANY (ARRAY['intern'::text, 'junior'::text, 'mid'::text, 'senior'::text, 'lead'::text, 'principal'::text]))),
  CHECK ((location_type = ANY (ARRAY['remote'::text, 'hybrid'::text, 'onsite'::text]))),
  CHECK ((salary_interval = ANY (ARRAY['hourly'::text, 'monthly'::text, 'annual'::text]))),
  CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text, 'closed'::text])))
);

create table key_caches (
  id uuid not null,
  renewed_at timestamp with time zone not null,
  applied pg_snapshot not null,
  PRIMARY KEY (id)
);

create table key_changes (
  id xid8 not null,
  made_at timestamp with time zone default clock_timestamp() not null,
  PRIMARY KEY (id)
);

create table list_memberships (
  workspace_id handle not null,
  id handle not null,
  list_id handle not null,
  sourced_profile_id handle not null,
  stage text,
  stage_updated_at timestamp(3) with time zone,
  added_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, list_id) REFERENCES lists(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, sourced_profile_id) REFERENCES sourced_profiles(workspace_id, id) ON DELETE CASCADE
);

create table lists (
  workspace_id handle not null,
  id handle not null,
  project_id handle,
  name text not null,
  description text,
  candidate_count integer default 0 not null,
  created_at timestamp(3) with time zone default app_now() not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  archived_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, project_id) REFERENCES projects(workspace_id, id)
);

create table member_calendars (
  workspace_id handle not null,
  user_id handle not null,
  secret_hash text not null,
  created_at timestamp(3) with time zone default app_now() not null,
  UNIQUE (secret_hash),
  PRIMARY KEY (workspace_id, user_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);

create table member_hours (
  workspace_id handle not null,
  user_id handle not null,
  time_zone text not null,
  hours jsonb not null,
  PRIMARY KEY (workspace_id, user_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);

create table member_settings (
  workspace_id handle not null,
  user_id handle not null,
  language text,
  time_zone text,
  PRIMARY KEY (workspace_id, user_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);

create table message_templates (
  workspace_id handle not null,
  id uuid not null,
  name text not null,
  name_key text not null,
  subject text not null,
  body text not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  purpose text default 'general'::text not null,
  UNIQUE (workspace_id, name_key),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((purpose = ANY (ARRAY['rejection'::text, 'invitation'::text, 'times'::text, 'added_by_us'::text, 'offer'::text, 'general'::text])))
);

create table message_usage (
  workspace_id handle not null,
  key_id handle not null,
  day date not null,
  used integer not null,
  PRIMARY KEY (workspace_id, key_id, day),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table messages (
  workspace_id handle not null,
  id handle not null,
  key_id handle not null,
  idempotency_key text not null,
  fingerprint bytea not null,
  application_id handle,
  applicant_id handle not null,
  status text default 'sending'::text not null,
  created_at timestamp(3) with time zone default app_now() not null,
  sent_at timestamp(3) with time zone,
  template_name text,
  subject_sealed bytea,
  body_sealed bytea,
  direction text default 'out'::text not null,
  purpose text,
  scheduled_for timestamp(3) with time zone,
  claimed_at timestamp(3) with time zone,
  attempt integer default 0 not null,
  failure text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((status = ANY (ARRAY['sending'::text, 'sent'::text, 'failed'::text, 'scheduled'::text, 'canceled'::text, 'received'::text]))),
  CHECK (((direction = ANY (ARRAY['out'::text, 'in'::text])) AND (purpose = ANY (ARRAY['rejection'::text, 'invitation'::text, 'times'::text, 'added_by_us'::text, 'offer'::text, 'general'::text])) AND (failure = ANY (ARRAY['stopped'::text, 'unsubscribed'::text, 'no_address'::text, 'no_mailbox'::text, 'no_sender'::text, 'allowance'::text, 'delivery'::text]))))
);

create table monthly_usage (
  workspace_id handle not null,
  month date not null,
  requests bigint default 0 not null,
  PRIMARY KEY (workspace_id, month),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table note_mentions (
  workspace_id handle not null,
  note_id uuid not null,
  user_id handle not null,
  created_at timestamp(3) with time zone default app_now() not null,
  done_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, note_id, user_id),
  FOREIGN KEY (workspace_id, note_id) REFERENCES notes(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);

create table notes (
  workspace_id handle not null,
  id uuid not null,
  application_id handle not null,
  body text not null,
  author_user_id handle,
  created_at timestamp(3) with time zone default app_now() not null,
  visibility text default 'team'::text not null,
  edited_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE,
  CHECK ((visibility = ANY (ARRAY['team'::text, 'private'::text])))
);

create table oidc_records (
  kind text not null,
  id_hash text not null,
  grant_hash text,
  workspace_id handle,
  app_id uuid,
  user_id handle,
  scopes text[] default '{}'::text[] not null,
  payload jsonb not null,
  created_at timestamp(3) with time zone default app_now() not null,
  consumed_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone not null,
  PRIMARY KEY (kind, id_hash),
  FOREIGN KEY (workspace_id, app_id) REFERENCES connected_apps(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);

create table oidc_signing_keys (
  id uuid not null,
  sealed bytea not null,
  created_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (id)
);

create table order_reports (
  workspace_id handle not null,
  id uuid not null,
  order_id handle not null,
  upload_id handle not null,
  filename text not null,
  mime text not null,
  bytes integer not null,
  blob_key text not null,
  created_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, order_id) REFERENCES orders(workspace_id, id) ON DELETE CASCADE
);

create table order_results (
  workspace_id handle not null,
  order_id handle not null,
  revision integer default 1 not null,
  fingerprint text not null,
  outcome text not null,
  score_value double precision,
  score_min double precision,
  score_max double precision,
  score_passing double precision,
  score_unit text,
  score_pct integer,
  sections jsonb default '[]'::jsonb not null,
  summary text,
  late boolean default false not null,
  completed_at timestamp(3) with time zone not null,
  received_at timestamp(3) with time zone default app_now() not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, order_id),
  FOREIGN KEY (workspace_id, order_id) REFERENCES orders(workspace_id, id) ON DELETE CASCADE
);

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
  status text default 'requested'::text not null,
  waiting_on text,
  status_reason_code text,
  status_reason_message text,
  placed_by_object text not null,
  placed_by_id handle not null,
  source_system text,
  source_external_id text,
  external_id text,
  external_url text,
  candidate_url text,
  attempt integer default 1 not null,
  previous_order_id handle,
  invitation_by text not null,
  invitation_sent_at timestamp(3) with time zone,
  reminders integer default 0 not null,
  last_reminded_at timestamp(3) with time zone,
  requested_at timestamp(3) with time zone default app_now() not null,
  accepted_at timestamp(3) with time zone,
  started_at timestamp(3) with time zone,
  completed_at timestamp(3) with time zone,
  due_at timestamp(3) with time zone,
  final_at timestamp(3) with time zone,
  next_check_at timestamp(3) with time zone,
  result_received boolean default false not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  reviewed_at timestamp(3) with time zone,
  privacy_url text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, package_id) REFERENCES packages(workspace_id, id),
  CHECK ((invitation_by = ANY (ARRAY['service'::text, 'vendor'::text, 'caller'::text]))),
  CHECK ((placed_by_object = ANY (ARRAY['user'::text, 'credential'::text, 'stage_rule'::text]))),
  CHECK ((status = ANY (ARRAY['requested'::text, 'invited'::text, 'in_progress'::text, 'completed'::text, 'declined'::text, 'failed'::text, 'expired'::text, 'canceled'::text]))),
  CHECK ((waiting_on = ANY (ARRAY['vendor'::text, 'candidate'::text, 'workspace'::text])))
);

create table outbox (
  id bigint generated always as identity not null,
  workspace_id handle not null,
  event_id handle not null,
  type text not null,
  origin_key_id handle,
  created_at timestamp(3) with time zone default app_now() not null,
  head text not null,
  tail text not null,
  audience handle,
  PRIMARY KEY (id, workspace_id)
);

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
  languages jsonb default '[]'::jsonb not null,
  countries jsonb default '[]'::jsonb not null,
  info_url text,
  privacy_url text not null,
  invitation text not null,
  candidate_host text,
  shares jsonb default '[]'::jsonb not null,
  completion_days integer default 14 not null,
  status text not null,
  created_at timestamp(3) with time zone default app_now() not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  UNIQUE (workspace_id, vendor_id, external_id),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK (((completion_days >= 1) AND (completion_days <= 90))),
  CHECK ((invitation = ANY (ARRAY['service'::text, 'vendor'::text]))),
  CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'withdrawn'::text])))
);

create table partner_sessions (
  token_hash text not null,
  secret_hash text not null,
  created_at timestamp(3) with time zone default app_now() not null,
  expires_at timestamp(3) with time zone not null,
  PRIMARY KEY (token_hash),
  FOREIGN KEY (secret_hash) REFERENCES api_key_secrets(secret_hash) ON DELETE CASCADE
);

create table passkey_challenges (
  challenge_hash text not null,
  purpose text not null,
  user_id handle,
  expires_at timestamp(3) with time zone not null,
  PRIMARY KEY (challenge_hash),
  CHECK ((purpose = ANY (ARRAY['register'::text, 'sign_in'::text, 'confirm'::text])))
);

create table passkeys (
  workspace_id handle not null,
  id uuid not null,
  user_id handle not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  backed_up boolean not null,
  name text not null,
  created_at timestamp(3) with time zone default app_now() not null,
  last_used_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);

create table pending_submissions (
  workspace_id handle not null,
  id uuid default gen_random_uuid() not null,
  application_id handle not null,
  submitted_at timestamp(3) with time zone default app_now() not null,
  details jsonb not null,
  content jsonb,
  files jsonb default '[]'::jsonb not null,
  network text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE
);

create table personal_data_reads (
  workspace_id handle not null,
  id bigint generated always as identity not null,
  key_id handle not null,
  subject_object text not null,
  subject_id handle not null,
  field text not null,
  units integer not null,
  request_id handle not null,
  acting_user_id handle,
  at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, id)
);

create table personal_data_usage (
  workspace_id handle not null,
  key_id handle not null,
  day date not null,
  used integer not null,
  PRIMARY KEY (workspace_id, key_id, day),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table pipeline_stages (
  workspace_id handle not null,
  id handle not null,
  job_id handle not null,
  name text not null,
  "position" integer not null,
  type text not null,
  is_terminal boolean default false not null,
  order_package_ids jsonb default '[]'::jsonb not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, job_id) REFERENCES jobs(workspace_id, id) ON DELETE CASCADE,
  CHECK ((type = ANY (ARRAY['applied'::text, 'screen'::text, 'assessment'::text, 'interview'::text, 'offer'::text, 'hired'::text, 'rejected'::text, 'custom'::text])))
);

create table planned_erasures (
  workspace_id handle not null,
  applicant_id handle not null,
  reason text not null,
  reach text not null,
  requested_by handle not null,
  requested_at timestamp(3) with time zone default app_now() not null,
  due_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, applicant_id),
  FOREIGN KEY (workspace_id, applicant_id) REFERENCES applicants(workspace_id, id) ON DELETE CASCADE,
  CHECK ((reason = ANY (ARRAY['erasure_request'::text, 'stop_processing'::text, 'legal_request'::text])))
);

create table pool_counting (
  begun_at timestamp(3) with time zone default app_now() not null
);

create table pool_profiles (
  id handle not null,
  full_name text,
  headline text,
  job_title text,
  company_name text,
  company_industry text,
  company_website text,
  company_linkedin_url text,
  department text,
  management_level text,
  location_full text,
  location_country text,
  linkedin_url text,
  linkedin_key text,
  github_url text,
  photo_url text,
  summary text,
  skills jsonb default '[]'::jsonb not null,
  languages jsonb default '[]'::jsonb not null,
  total_experience_months integer,
  connections_count integer,
  follower_count integer,
  provider text,
  suppressed_at timestamp(3) with time zone,
  first_seen_at timestamp(3) with time zone default app_now() not null,
  last_seen_at timestamp(3) with time zone default app_now() not null,
  external_id text,
  PRIMARY KEY (id)
);

create table pool_short_parts (
  field text not null,
  part text not null,
  PRIMARY KEY (field, part),
  CHECK ((field = ANY (ARRAY['company'::text, 'title'::text])))
);

create table pool_terms (
  profile_id handle not null,
  title_words smallint not null,
  terms tsvector not null,
  changed xid8 default pg_current_xact_id() not null,
  PRIMARY KEY (profile_id)
);

create table pool_vocabulary (
  field text not null,
  word text not null,
  profiles bigint not null,
  PRIMARY KEY (field, word)
);

create table prescreen_questions (
  workspace_id handle not null,
  id uuid not null,
  job_id handle not null,
  kind text not null,
  "position" integer not null,
  prompt text not null,
  response_key text not null,
  answer_type text not null,
  choices jsonb,
  required boolean default false not null,
  source text not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, job_id) REFERENCES jobs(workspace_id, id) ON DELETE CASCADE,
  CHECK ((answer_type = ANY (ARRAY['boolean'::text, 'number'::text, 'text'::text, 'choice'::text, 'multi_choice'::text]))),
  CHECK ((kind = ANY (ARRAY['common'::text, 'adaptive'::text]))),
  CHECK ((source = ANY (ARRAY['template'::text, 'ai'::text, 'recruiter'::text])))
);

create table projects (
  workspace_id handle not null,
  id handle not null,
  name text not null,
  description text,
  created_at timestamp(3) with time zone default app_now() not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  archived_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table rate_windows (
  key_id handle not null,
  tier text not null,
  started_at timestamp(3) with time zone not null,
  used integer not null,
  PRIMARY KEY (key_id, tier)
);

create table recovery_codes (
  workspace_id handle not null,
  user_id handle not null,
  code_hash text not null,
  created_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, user_id, code_hash),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);

create table rejection_habits (
  workspace_id handle not null,
  user_id handle not null,
  job_id handle not null,
  with_message boolean not null,
  PRIMARY KEY (workspace_id, user_id, job_id),
  FOREIGN KEY (workspace_id, job_id) REFERENCES jobs(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);

create table request_log (
  workspace_id handle not null,
  id handle not null,
  created_at timestamp(3) with time zone not null,
  key_id handle not null,
  acting_user_id handle,
  method text not null,
  route text,
  params json not null,
  status smallint not null,
  code text,
  param text,
  duration_ms integer not null,
  PRIMARY KEY (workspace_id, id)
);

create table request_stats (
  workspace_id handle not null,
  key_id handle not null,
  hour timestamp(3) with time zone not null,
  requests bigint default 0 not null,
  client_errors bigint default 0 not null,
  server_errors bigint default 0 not null,
  limited bigint default 0 not null,
  PRIMARY KEY (workspace_id, key_id, hour),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table resumes (
  workspace_id handle not null,
  id handle not null,
  application_id handle not null,
  applicant_id handle,
  filename text not null,
  mime text not null,
  bytes integer not null,
  blob_key text not null,
  parse_status text default 'pending'::text not null,
  parse_attempts integer default 0 not null,
  parse_leased_until timestamp(3) with time zone,
  parsed jsonb,
  raw_text text,
  parsed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default app_now() not null,
  parse_lease_token uuid,
  contact_rules integer default 0 not null,
  parse_error text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE,
  CHECK ((parse_status = ANY (ARRAY['pending'::text, 'parsing'::text, 'parsed'::text, 'failed'::text])))
);

create table saved_views (
  workspace_id handle not null,
  id uuid not null,
  user_id handle,
  name text not null,
  page text not null,
  job_id handle,
  query text not null,
  shared boolean default false not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((page = ANY (ARRAY['candidates'::text, 'jobs'::text, 'board'::text, 'table'::text])))
);

create table scope_usage (
  workspace_id handle not null,
  installation_id handle not null,
  scope text not null,
  last_used_on date not null,
  PRIMARY KEY (workspace_id, installation_id, scope),
  FOREIGN KEY (workspace_id, installation_id) REFERENCES installations(workspace_id, id) ON DELETE CASCADE
);

create table scorecard_criteria (
  workspace_id handle not null,
  job_id handle not null,
  "position" integer not null,
  name text not null,
  description text,
  PRIMARY KEY (workspace_id, job_id, "position"),
  FOREIGN KEY (workspace_id, job_id) REFERENCES jobs(workspace_id, id) ON DELETE CASCADE
);

create table scorecard_drafts (
  workspace_id handle not null,
  application_id handle not null,
  user_id handle not null,
  content jsonb not null,
  version uuid not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, application_id, user_id),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);

create table scorecard_remarks (
  workspace_id handle not null,
  id uuid not null,
  scorecard_id uuid not null,
  body text not null,
  created_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, scorecard_id) REFERENCES scorecards(workspace_id, id) ON DELETE CASCADE
);

create table scorecard_requests (
  workspace_id handle not null,
  application_id handle not null,
  user_id handle not null,
  requested_by handle not null,
  requested_at timestamp(3) with time zone default app_now() not null,
  interview_id uuid,
  due_at timestamp(3) with time zone,
  mailed_at timestamp(3) with time zone,
  stage_id handle,
  PRIMARY KEY (workspace_id, application_id, user_id),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE
);

create table scorecards (
  workspace_id handle not null,
  id uuid not null,
  application_id handle not null,
  recommendation text not null,
  summary text,
  stage_id handle,
  ratings jsonb default '[]'::jsonb not null,
  interviewed_at timestamp(3) with time zone,
  report_url text,
  author_user_id handle,
  created_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE,
  CHECK ((recommendation = ANY (ARRAY['strong_yes'::text, 'yes'::text, 'no_decision'::text, 'no'::text, 'strong_no'::text])))
);

create table screenings (
  workspace_id handle not null,
  application_id handle not null,
  call_status text not null,
  completion_state text default 'none'::text not null,
  duration_sec integer,
  consent_state text default 'pending'::text not null,
  ambiguous_caller boolean default false not null,
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, application_id),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE,
  CHECK ((call_status = ANY (ARRAY['scheduled'::text, 'in_progress'::text, 'completed'::text, 'no_answer'::text, 'failed'::text]))),
  CHECK ((completion_state = ANY (ARRAY['none'::text, 'partial'::text, 'complete'::text]))),
  CHECK ((consent_state = ANY (ARRAY['pending'::text, 'granted'::text, 'declined'::text])))
);

create table search_rebuilds (
  workspace_id handle not null,
  after handle default ''::text not null,
  requested_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table secret_key_holders (
  process uuid not null,
  name text not null,
  backend integer not null,
  backend_start timestamp with time zone not null,
  known text[] not null,
  used text not null,
  seen_at timestamp with time zone default clock_timestamp() not null,
  PRIMARY KEY (process)
);

create table secret_keys (
  id text not null,
  is_first boolean default false not null,
  secret_check bytea not null,
  added_at timestamp(3) with time zone default app_now() not null,
  used_from timestamp(3) with time zone,
  retired_at timestamp(3) with time zone,
  kept_sealed bytea,
  PRIMARY KEY (id),
  CHECK (((retired_at IS NULL) OR (kept_sealed IS NOT NULL))),
  CHECK ((id ~ '^[0-9a-f]{8}$'::text))
);

create table sessions (
  token_hash text not null,
  id uuid not null,
  workspace_id handle not null,
  user_id handle not null,
  method text not null,
  address text not null,
  user_agent text,
  created_at timestamp(3) with time zone default app_now() not null,
  last_seen_at timestamp(3) with time zone default app_now() not null,
  factor text,
  factor_at timestamp(3) with time zone,
  authenticated_at timestamp(3) with time zone,
  provider_session text,
  PRIMARY KEY (token_hash),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE,
  CHECK ((factor = ANY (ARRAY['totp'::text, 'recovery'::text, 'passkey'::text]))),
  CHECK ((method = ANY (ARRAY['password'::text, 'link'::text, 'passkey'::text, 'company'::text]))) NOT VALID
);

create table shared_outbox (
  id bigint generated always as identity not null,
  event_id handle not null,
  type text not null,
  origin_key_id handle,
  created_at timestamp(3) with time zone default app_now() not null,
  head text not null,
  tail text not null,
  PRIMARY KEY (id)
);

create table sign_in_attempts (
  subject text not null,
  started_at timestamp(3) with time zone default app_now() not null,
  used integer not null,
  PRIMARY KEY (subject)
);

create table sign_in_changes (
  workspace_id handle not null,
  id bigint generated always as identity not null,
  change text not null,
  user_id handle,
  by_user handle,
  at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table sign_in_tickets (
  token_hash text not null,
  kind text not null,
  user_ids text[] not null,
  method text not null,
  created_at timestamp(3) with time zone default app_now() not null,
  expires_at timestamp(3) with time zone not null,
  provider_session text,
  PRIMARY KEY (token_hash),
  CHECK ((kind = ANY (ARRAY['link'::text, 'choice'::text, 'factor'::text]))) NOT VALID,
  CHECK ((method = ANY (ARRAY['password'::text, 'link'::text, 'passkey'::text, 'company'::text]))) NOT VALID
);

create table sourced_profiles (
  workspace_id handle not null,
  id handle not null,
  full_name text,
  headline text,
  job_title text,
  company_name text,
  company_industry text,
  company_website text,
  company_linkedin_url text,
  department text,
  management_level text,
  location_full text,
  location_country text,
  linkedin_url text,
  linkedin_key text,
  photo_url text,
  summary text,
  total_experience_months integer,
  connections_count integer,
  follower_count integer,
  match_score integer,
  match_tier text,
  origin text not null,
  acquisition text not null,
  provider text,
  has_contact_info boolean default false not null,
  has_linkedin_capture boolean default false not null,
  first_seen_at timestamp(3) with time zone default app_now() not null,
  last_seen_at timestamp(3) with time zone default app_now() not null,
  suppressed_at timestamp(3) with time zone,
  unsubscribed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default app_now() not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  external_id text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((match_tier = ANY (ARRAY['strong'::text, 'good'::text, 'fair'::text, 'weak'::text])))
);

create table spent_challenges (
  workspace_id handle not null,
  hash text not null,
  expires_at timestamp(3) with time zone not null,
  PRIMARY KEY (workspace_id, hash),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table stage_transitions (
  workspace_id handle not null,
  application_id handle not null,
  id bigint generated always as identity not null,
  from_stage_id handle,
  to_stage_id handle not null,
  at timestamp(3) with time zone default app_now() not null,
  to_stage_type text,
  key_id handle,
  user_id handle,
  PRIMARY KEY (workspace_id, application_id, id),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE
);

create table status_transitions (
  workspace_id handle not null,
  application_id handle not null,
  id bigint generated always as identity not null,
  from_status text not null,
  to_status text not null,
  at timestamp(3) with time zone not null,
  key_id handle,
  user_id handle,
  PRIMARY KEY (workspace_id, application_id, id),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE,
  CHECK (((key_id IS NULL) OR (user_id IS NULL)))
);

create table suppressed_external_ids (
  workspace_id text not null,
  object text not null,
  sha256 bytea not null,
  suppression_id uuid not null,
  PRIMARY KEY (workspace_id, object, sha256, suppression_id),
  FOREIGN KEY (suppression_id) REFERENCES suppressions(id),
  CHECK ((object = ANY (ARRAY['applicant'::text, 'sourced_profile'::text, 'pool_profile'::text])))
);

create table suppressed_identifiers (
  kind text not null,
  sha256 bytea not null,
  suppression_id uuid not null,
  reach text default 'installation'::text not null,
  PRIMARY KEY (reach, kind, sha256, suppression_id),
  FOREIGN KEY (suppression_id) REFERENCES suppressions(id),
  CHECK ((kind = ANY (ARRAY['email'::text, 'linkedin_url'::text])))
);

create table suppression_acknowledgements (
  workspace_id handle not null,
  suppression_id uuid not null,
  key_id handle not null,
  deleted_at timestamp(3) with time zone not null,
  acknowledged_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, suppression_id, key_id),
  FOREIGN KEY (suppression_id) REFERENCES suppressions(id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table suppression_log (
  workspace_id handle not null,
  sequence bigint not null,
  suppression_id uuid not null,
  PRIMARY KEY (workspace_id, sequence),
  FOREIGN KEY (suppression_id) REFERENCES suppressions(id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table suppressions (
  id uuid not null,
  status text not null,
  reason text not null,
  applied_at timestamp(3) with time zone default app_now() not null,
  delete_by timestamp(3) with time zone not null,
  completed_at timestamp(3) with time zone,
  reach text default 'installation'::text not null,
  PRIMARY KEY (id),
  CHECK ((reason = ANY (ARRAY['erasure_request'::text, 'stop_processing'::text, 'legal_request'::text]))),
  CHECK ((status = ANY (ARRAY['suppressed'::text, 'erased'::text])))
);

create table task_states (
  workspace_id handle not null,
  user_id handle not null,
  kind text not null,
  subject text not null,
  application_id handle not null,
  snoozed_at timestamp(3) with time zone,
  snoozed_until timestamp(3) with time zone,
  done_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, user_id, kind, subject),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE,
  CHECK (((snoozed_at IS NULL) = (snoozed_until IS NULL))),
  CHECK ((kind = ANY (ARRAY['interview'::text, 'scorecard'::text, 'reply'::text, 'answer'::text, 'unsent'::text, 'check'::text, 'undecided'::text, 'candidate'::text, 'mention'::text])))
);

create table team_mails (
  workspace_id handle not null,
  id uuid default gen_random_uuid() not null,
  kind text not null,
  user_id handle not null,
  application_id handle,
  attempt integer default 0 not null,
  due_at timestamp(3) with time zone default app_now(),
  sent_at timestamp(3) with time zone,
  sent_by handle,
  created_at timestamp(3) with time zone default app_now() not null,
  more integer,
  interview_id uuid,
  method text,
  says text,
  calendar jsonb,
  note_id uuid,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, application_id) REFERENCES applications(workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users(workspace_id, id) ON DELETE CASCADE,
  CHECK ((kind = ANY (ARRAY['mention'::text, 'scorecard'::text, 'summary'::text, 'interview'::text, 'interview_answer'::text]))),
  CHECK (((kind = 'summary'::text) = ((application_id IS NULL) AND (more IS NOT NULL))))
);

create table template_form_changes (
  workspace_id handle not null,
  after_id text not null,
  origin_key_id text,
  user_id handle,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table test_clocks (
  workspace_id handle not null,
  environment text default 'test'::text not null,
  offset_seconds integer default 0 not null,
  target_seconds integer default 0 not null,
  advancing boolean default false not null,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id, environment) REFERENCES workspaces(id, environment) ON DELETE CASCADE,
  CHECK (((target_seconds >= offset_seconds) AND (target_seconds <= (400 * 86400)))),
  CHECK ((environment = 'test'::text)),
  CHECK ((offset_seconds >= 0))
);

create table test_mails (
  workspace_id handle not null,
  id text not null,
  to_name text,
  to_address text not null,
  to_key text not null,
  reply_to text,
  subject text not null,
  body_text text not null,
  body_html text,
  sent_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, id)
);

create table unsubscribes (
  workspace_id handle not null,
  email_key text not null,
  source text not null,
  at timestamp(3) with time zone default app_now() not null,
  opted_out_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, email_key),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((source = ANY (ARRAY['link'::text, 'one_click'::text, 'product'::text, 'opt_out'::text])))
);

create table uploads (
  workspace_id handle not null,
  id handle not null,
  key_id handle,
  content_type text not null,
  size_bytes integer not null,
  filename text not null,
  blob_key text not null,
  created_at timestamp(3) with time zone default app_now() not null,
  put_expires_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  spent_at timestamp(3) with time zone,
  application_id handle,
  public_form boolean default false not null,
  order_id handle,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table users (
  workspace_id handle not null,
  id handle not null,
  email text,
  first_name text,
  last_name text,
  is_verified boolean default false not null,
  role text not null,
  photo_url text,
  password_hash text,
  created_at timestamp(3) with time zone default app_now() not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  last_login_at timestamp(3) with time zone,
  email_key text,
  email_key_rank integer default 0 not null,
  job_access text default 'all'::text not null,
  kind text default 'person'::text not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK (((email IS NULL) = (email_key IS NULL))),
  CHECK ((job_access = ANY (ARRAY['all'::text, 'team'::text]))),
  CHECK ((kind = ANY (ARRAY['person'::text, 'app'::text]))),
  CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'viewer'::text])))
);

create table webhook_attempts (
  workspace_id handle not null,
  delivery_id uuid not null,
  attempt integer not null,
  sent_at timestamp(3) with time zone not null,
  duration_ms integer,
  response_status integer,
  error text,
  PRIMARY KEY (workspace_id, delivery_id, attempt),
  FOREIGN KEY (workspace_id, delivery_id) REFERENCES webhook_deliveries(workspace_id, id) ON DELETE CASCADE
);

create table webhook_deliveries (
  workspace_id handle not null,
  id uuid not null,
  endpoint_id uuid not null,
  key_id handle not null,
  event_sequence bigint,
  event_id handle not null,
  event_type text not null,
  body text,
  status text default 'pending'::text not null,
  attempt integer default 0 not null,
  response_status integer,
  error text,
  next_attempt_at timestamp(3) with time zone,
  lease_token uuid,
  leased_until timestamp(3) with time zone,
  delivered_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default app_now() not null,
  kind text default 'event'::text not null,
  ready boolean default true not null,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, endpoint_id) REFERENCES webhook_endpoints(workspace_id, id) ON DELETE CASCADE,
  CHECK ((kind = ANY (ARRAY['event'::text, 'ping'::text, 'redelivery'::text]))),
  CHECK ((status = ANY (ARRAY['pending'::text, 'retrying'::text, 'delivered'::text, 'failed'::text, 'canceled'::text])))
);

create table webhook_endpoints (
  workspace_id handle not null,
  id uuid not null,
  key_id handle not null,
  url text,
  description text,
  event_types text[] not null,
  enabled boolean default true not null,
  disabled_at timestamp(3) with time zone,
  disabled_reason text,
  signing_secret_version integer default 1 not null,
  signing_secret_rotated_at timestamp(3) with time zone,
  consecutive_failures integer default 0 not null,
  first_failure_at timestamp(3) with time zone,
  last_success_at timestamp(3) with time zone,
  last_failure_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default app_now() not null,
  last_attempt_ms integer default 0 not null,
  source_workspace_id handle,
  source_id uuid,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((disabled_reason = ANY (ARRAY['failing'::text, 'gone'::text, 'manual'::text, 'key_revoked'::text]))),
  CHECK ((((source_id IS NULL) = (url IS NOT NULL)) AND ((source_id IS NULL) = (source_workspace_id IS NULL))))
);

create table webhook_handovers (
  workspace_id handle not null,
  endpoint_id uuid not null,
  id uuid not null,
  key_id handle not null,
  event_sequence bigint not null,
  event_id handle not null,
  event_type text not null,
  lease_token uuid not null,
  leased_until timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id, endpoint_id, id)
);

create table webhook_responses (
  workspace_id handle not null,
  delivery_id uuid not null,
  attempt integer not null,
  body text not null,
  PRIMARY KEY (workspace_id, delivery_id, attempt),
  FOREIGN KEY (workspace_id, delivery_id, attempt) REFERENCES webhook_attempts(workspace_id, delivery_id, attempt) ON DELETE CASCADE,
  CHECK (((octet_length(body) >= 1) AND (octet_length(body) <= 1024)))
);

create table webhook_secrets (
  workspace_id handle not null,
  endpoint_id uuid not null,
  version integer not null,
  sealed bytea not null,
  expires_at timestamp(3) with time zone,
  PRIMARY KEY (workspace_id, endpoint_id, version),
  FOREIGN KEY (workspace_id, endpoint_id) REFERENCES webhook_endpoints(workspace_id, id) ON DELETE CASCADE
);

create table webhook_stats (
  workspace_id handle not null,
  endpoint_id uuid not null,
  hour timestamp(3) with time zone not null,
  delivered bigint default 0 not null,
  failed_attempts bigint default 0 not null,
  given_up bigint default 0 not null,
  PRIMARY KEY (workspace_id, endpoint_id, hour),
  FOREIGN KEY (workspace_id, endpoint_id) REFERENCES webhook_endpoints(workspace_id, id) ON DELETE CASCADE
);

create table worker_turns (
  workspace_id handle not null,
  work text not null,
  last_turn_at timestamp(3) with time zone not null,
  busy_until timestamp(3) with time zone,
  hour_began_at timestamp(3) with time zone not null,
  spent_ms bigint default 0 not null,
  recent_ms bigint default 0 not null,
  PRIMARY KEY (workspace_id, work),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((work = ANY (ARRAY['read_resumes'::text, 'score_again'::text])))
);

create table workspace_deletions (
  workspace_id handle not null,
  requested_at timestamp(3) with time zone default app_now() not null,
  requested_by handle,
  delete_at timestamp(3) with time zone not null,
  notify_at timestamp(3) with time zone default app_now(),
  notify_about text default 'scheduled'::text not null,
  endpoints uuid[] default '{}'::uuid[] not null,
  started_at timestamp(3) with time zone,
  emptied_at timestamp(3) with time zone,
  completed_at timestamp(3) with time zone,
  lease_token uuid,
  leased_until timestamp(3) with time zone,
  counts jsonb default '{}'::jsonb not null,
  PRIMARY KEY (workspace_id),
  CHECK ((notify_about = ANY (ARRAY['scheduled'::text, 'reminder'::text])))
);

create table workspace_log (
  workspace_id handle not null,
  id bigint generated always as identity not null,
  at timestamp(3) with time zone default app_now() not null,
  action text not null,
  user_id handle,
  details jsonb default '{}'::jsonb not null,
  PRIMARY KEY (workspace_id, id)
);

create table workspace_retention (
  workspace_id handle not null,
  application_months integer,
  audit_days integer,
  event_days integer,
  delivery_days integer,
  request_log_days integer,
  updated_at timestamp(3) with time zone default app_now() not null,
  leased_until timestamp(3) with time zone,
  run_counts jsonb default '{}'::jsonb not null,
  due_at timestamp(3) with time zone default app_now() not null,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table workspace_settings (
  workspace_id handle not null,
  key_management_domains text[] default '{}'::text[] not null,
  connected_app_writes boolean default false not null,
  webhooks_self_serve boolean default true not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  second_factor text default 'optional'::text not null,
  app_installs text default 'admins'::text not null,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CHECK ((app_installs = ANY (ARRAY['admins'::text, 'owners'::text, 'off'::text]))),
  CHECK ((second_factor = ANY (ARRAY['optional'::text, 'required_for_admins'::text, 'required'::text])))
);

create table workspace_suppressions (
  workspace_id handle,
  sequence bigint generated always as identity not null,
  suppression_id uuid not null,
  subjects jsonb default '[]'::jsonb not null,
  identifiers jsonb,
  PRIMARY KEY (sequence),
  FOREIGN KEY (suppression_id) REFERENCES suppressions(id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table workspaces (
  id handle not null,
  name text not null,
  plan text,
  created_at timestamp(3) with time zone default app_now() not null,
  updated_at timestamp(3) with time zone default app_now() not null,
  own_limits jsonb default '{}'::jsonb not null,
  closing_at timestamp(3) with time zone,
  environment text default 'live'::text not null,
  mailbox_domain text,
  test_of handle,
  UNIQUE (id, environment),
  PRIMARY KEY (id),
  CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
  CHECK ((jsonb_typeof(own_limits) = 'object'::text)),
  CHECK ((plan = ANY (ARRAY['starter'::text, 'growth'::text, 'enterprise'::text]))),
  CHECK ((((environment = 'test'::text) = (mailbox_domain IS NOT NULL)) AND ((environment = 'test'::text) OR (test_of IS NULL))))
);

CREATE INDEX alert_notifications_due ON public.alert_notifications USING btree (channel, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX alerts_opened ON public.alerts USING btree (workspace_id, opened_at, id);
CREATE INDEX alerts_resolved ON public.alerts USING btree (resolved_at) WHERE (resolved_at IS NOT NULL);
CREATE INDEX alerts_unresolved ON public.alerts USING btree (workspace_id) WHERE (resolved_at IS NULL);
CREATE INDEX api_key_secrets_key ON public.api_key_secrets USING btree (workspace_id, key_id);
CREATE INDEX api_keys_cut ON public.api_keys USING btree (id) WHERE (cardinality(scopes) < cardinality(granted_scopes));
CREATE INDEX api_keys_id ON public.api_keys USING btree (id);
CREATE INDEX api_keys_installation ON public.api_keys USING btree (workspace_id, installation_id) WHERE (installation_id IS NOT NULL);
CREATE INDEX api_keys_user ON public.api_keys USING btree (workspace_id, user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX app_consents_user ON public.app_consents USING btree (workspace_id, user_id);
CREATE INDEX applicant_requests_applicant ON public.applicant_requests USING btree (workspace_id, applicant_id);
CREATE UNIQUE INDEX applicants_email ON public.applicants USING btree (workspace_id, email_key) WHERE (email_key IS NOT NULL);
CREATE INDEX applicants_email_anywhere ON public.applicants USING btree (email_key) WHERE (email_key IS NOT NULL);
CREATE INDEX applicants_external_refs ON public.applicants USING gin (external_refs jsonb_path_ops);
CREATE INDEX applicants_linkedin ON public.applicants USING btree (workspace_id, linkedin_key) WHERE (linkedin_key IS NOT NULL);
CREATE INDEX applicants_linkedin_anywhere ON public.applicants USING btree (linkedin_key) WHERE (linkedin_key IS NOT NULL);
CREATE INDEX applicants_name_parts ON public.applicants USING gin (workspace_id, lower(full_name) gin_trgm_ops) WITH (fastupdate=off);
CREATE INDEX applicants_phone_key ON public.applicants USING btree (workspace_id, phone_key(phone)) WHERE (phone_key(phone) IS NOT NULL);
CREATE INDEX applicants_updated ON public.applicants USING btree (workspace_id, updated_at, id);
CREATE INDEX applicants_without_applications ON public.applicants USING btree (workspace_id, updated_at, id) WHERE (application_count = 0);
CREATE INDEX application_funnel_applied ON public.application_funnel USING btree (workspace_id, applied_at) INCLUDE (code, job, source);
CREATE INDEX application_funnel_hires ON public.application_funnel USING btree (workspace_id, applied_at) INCLUDE (days_to_hire, job, source) WHERE (days_to_hire IS NOT NULL);
CREATE INDEX application_funnel_job ON public.application_funnel USING btree (workspace_id, job, applied_at) INCLUDE (code, source);
CREATE INDEX application_funnel_job_lots ON public.application_funnel USING btree (workspace_id, job, lot) INCLUDE (applied_at, source, hours) WHERE (hours IS NOT NULL);
CREATE INDEX application_funnel_lots ON public.application_funnel USING btree (workspace_id, lot) INCLUDE (applied_at, job, source, hours) WHERE (hours IS NOT NULL);
CREATE INDEX application_funnel_source_lots ON public.application_funnel USING btree (workspace_id, source, lot) WHERE (hours IS NOT NULL);
CREATE INDEX application_search_words ON public.application_search USING gin (workspace_id, names, terms, name_key gin_trgm_ops) WITH (fastupdate=off);
CREATE INDEX application_tags_name ON public.application_tags USING btree (workspace_id, tag_key);
CREATE INDEX applications_access ON public.applications USING btree (resume_access_changes_at) WHERE (resume_access_changes_at IS NOT NULL);
CREATE INDEX applications_applicant ON public.applications USING btree (workspace_id, applicant_id, updated_at, id);
CREATE INDEX applications_applied ON public.applications USING btree (workspace_id, applied_at, id);
CREATE INDEX applications_best ON public.applications USING btree (workspace_id, job_id, status, usable_score, id);
CREATE INDEX applications_board ON public.applications USING btree (workspace_id, stage_id, status, applied_at, id) INCLUDE (source, has_resume);
CREATE UNIQUE INDEX applications_external ON public.applications USING btree (workspace_id, job_id, source_system, source_external_id) WHERE (source_external_id IS NOT NULL);
CREATE INDEX applications_external_id ON public.applications USING btree (workspace_id, source_external_id, updated_at, id) WHERE (source_external_id IS NOT NULL);
CREATE INDEX applications_job ON public.applications USING btree (workspace_id, job_id, updated_at, id);
CREATE INDEX applications_job_resumes ON public.applications USING btree (workspace_id, job_id, id) WHERE has_resume;
CREATE INDEX applications_job_status ON public.applications USING btree (workspace_id, job_id, status, updated_at, id);
CREATE UNIQUE INDEX applications_of_person ON public.applications USING btree (workspace_id, job_id, applicant_id) WHERE ((applicant_id IS NOT NULL) AND (status <> 'withdrawn'::text));
CREATE INDEX applications_of_team ON public.applications USING btree (workspace_id, job_id, stage_entered_at, id) WHERE ((owner_user_id IS NULL) AND (status = ANY (ARRAY['new'::text, 'in_review'::text, 'advanced'::text])));
CREATE INDEX applications_owner ON public.applications USING btree (workspace_id, owner_user_id, stage_entered_at, id) WHERE (owner_user_id IS NOT NULL);
CREATE INDEX applications_source ON public.applications USING btree (workspace_id, source_system, status, updated_at, id) WHERE (source_system IS NOT NULL);
CREATE INDEX applications_stage ON public.applications USING btree (workspace_id, stage_id, updated_at, id);
CREATE INDEX applications_status ON public.applications USING btree (workspace_id, status, updated_at, id);
CREATE INDEX applications_updated ON public.applications USING btree (workspace_id, updated_at, id);
CREATE INDEX applications_waiting ON public.applications USING btree (workspace_id, stage_entered_at, id) WHERE (status = ANY (ARRAY['new'::text, 'in_review'::text, 'advanced'::text]));
CREATE INDEX candidate_links_expiry ON public.candidate_links USING btree (expires_at);
CREATE INDEX candidate_mails_applicant ON public.candidate_mails USING btree (workspace_id, applicant_id) WHERE (applicant_id IS NOT NULL);
CREATE INDEX candidate_mails_due ON public.candidate_mails USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX candidate_mails_interview ON public.candidate_mails USING btree (workspace_id, interview_id) WHERE (interview_id IS NOT NULL);
CREATE INDEX candidate_sessions_expiry ON public.candidate_sessions USING btree (expires_at);
CREATE INDEX career_slugs_workspace ON public.career_slugs USING btree (workspace_id);
CREATE INDEX company_domains_workspace ON public.company_domains USING btree (workspace_id);
CREATE INDEX company_logout_tokens_expiry ON public.company_logout_tokens USING btree (expires_at);
CREATE INDEX company_sign_in_flows_expiry ON public.company_sign_in_flows USING btree (expires_at);
CREATE INDEX company_sign_in_flows_workspace ON public.company_sign_in_flows USING btree (workspace_id);
CREATE INDEX company_sign_in_log_event ON public.company_sign_in_log USING btree (workspace_id, event, id);
CREATE INDEX connected_app_secrets_app ON public.connected_app_secrets USING btree (workspace_id, app_id);
CREATE UNIQUE INDEX connected_apps_credential ON public.connected_apps USING btree (credential_id);
CREATE INDEX connected_apps_id ON public.connected_apps USING btree (id);
CREATE INDEX contact_values_email_key ON public.contact_values USING btree (email_key) WHERE (email_key IS NOT NULL);
CREATE INDEX contact_values_phone_key ON public.contact_values USING btree (workspace_id, phone_key(value)) WHERE ((field = 'phone'::text) AND (phone_key(value) IS NOT NULL));
CREATE INDEX erasure_inquiries_due ON public.erasure_inquiries USING btree (due_at, id);
CREATE INDEX erasure_requests_about ON public.erasure_requests USING gin (digests);
CREATE INDEX erasure_requests_from ON public.erasure_requests USING btree (erasure_id);
CREATE INDEX erasure_requests_led_to ON public.erasure_requests USING btree (suppression_id);
CREATE INDEX erasure_requests_notify ON public.erasure_requests USING btree (notify_at) WHERE (notify_at IS NOT NULL);
CREATE INDEX erasure_requests_of ON public.erasure_requests USING btree (workspace_id, requested_at, id);
CREATE INDEX erasure_requests_open ON public.erasure_requests USING btree (requested_at) WHERE (state = 'open'::text);
CREATE INDEX erasure_targets_open ON public.erasure_targets USING btree (erasure_id, object) WHERE (done_at IS NULL);
CREATE INDEX erasure_targets_record ON public.erasure_targets USING btree (workspace_id, id);
CREATE INDEX erasures_asked ON public.erasures USING btree (asked_in, requested_at) WHERE (asked_in IS NOT NULL);
CREATE INDEX erasures_open ON public.erasures USING btree (requested_at) WHERE (completed_at IS NULL);
CREATE INDEX erasures_requested ON public.erasures USING btree (requested_at, id);
CREATE UNIQUE INDEX events_id ON public.events USING btree (workspace_id, id);
CREATE INDEX exports_expiry ON public.exports USING btree (expires_at);
CREATE INDEX exports_key ON public.exports USING btree (key_id);
CREATE INDEX exports_open ON public.exports USING btree (created_at) WHERE (status = ANY (ARRAY['pending'::text, 'running'::text]));
CREATE INDEX file_deletions_by_age ON public.file_deletions USING btree (added_at);
CREATE INDEX form_fields_job ON public.form_fields USING btree (workspace_id, job_id, "position");
CREATE INDEX funnel_changes_workspace ON public.funnel_changes USING btree (workspace_id, applied_on);
CREATE INDEX idempotency_records_expiry ON public.idempotency_records USING btree (expires_at);
CREATE INDEX identities_anywhere ON public.identities USING btree (value, kind);
CREATE INDEX identities_canonical ON public.identities USING btree (workspace_id, canonical_id);
CREATE UNIQUE INDEX identities_person ON public.identities USING btree (workspace_id, person_id);
CREATE INDEX install_codes_app ON public.install_codes USING btree (app_workspace_id, app_id);
CREATE INDEX install_codes_expiry ON public.install_codes USING btree (expires_at);
CREATE INDEX install_codes_user ON public.install_codes USING btree (workspace_id, user_id);
CREATE UNIQUE INDEX installations_active ON public.installations USING btree (workspace_id, app_id) WHERE (ended_at IS NULL);
CREATE INDEX installations_app ON public.installations USING btree (app_id, updated_at, id);
CREATE INDEX installations_app_workspace ON public.installations USING btree (app_workspace_id, app_id);
CREATE INDEX installations_user ON public.installations USING btree (workspace_id, user_id);
CREATE INDEX interview_kits_job ON public.interview_kits USING btree (workspace_id, job_id);
CREATE INDEX interview_people_user ON public.interview_people USING btree (workspace_id, user_id);
CREATE INDEX interviews_ahead ON public.interviews USING btree (workspace_id, application_id, starts_at) WHERE (state = 'scheduled'::text);
CREATE INDEX interviews_answered ON public.interviews USING btree (workspace_id, organizer_id, answered_at, id) WHERE (answer IS NOT NULL);
CREATE INDEX interviews_application ON public.interviews USING btree (workspace_id, application_id, created_at, id);
CREATE INDEX interviews_ended ON public.interviews USING btree (ends_at) WHERE ((state = 'scheduled'::text) AND (feedback_asked_at IS NULL));
CREATE INDEX job_search_terms ON public.job_search USING gin (workspace_id, status, department, location_type, employment_type, source_system, source_external_id, terms) WITH (fastupdate=off);
CREATE INDEX job_search_updated ON public.job_search USING btree (workspace_id, updated_at, id);
CREATE INDEX job_team_user ON public.job_team USING btree (workspace_id, user_id, job_id);
CREATE INDEX job_words_alike ON public.job_words USING gin (workspace_id, word gin_trgm_ops) WITH (fastupdate=off);
CREATE INDEX job_words_lexeme ON public.job_words USING btree (workspace_id, lexeme);
CREATE INDEX jobs_closing ON public.jobs USING btree (close_at) WHERE ((status = 'published'::text) AND (close_at IS NOT NULL));
CREATE INDEX jobs_department ON public.jobs USING btree (workspace_id, department, updated_at, id);
CREATE UNIQUE INDEX jobs_dial_in_code ON public.jobs USING btree (workspace_id, dial_in_code) WHERE (dial_in_code IS NOT NULL);
CREATE INDEX jobs_employment_type ON public.jobs USING btree (workspace_id, employment_type, updated_at, id);
CREATE INDEX jobs_external_id ON public.jobs USING btree (workspace_id, source_external_id, updated_at, id) WHERE (source_external_id IS NOT NULL);
CREATE INDEX jobs_location_type ON public.jobs USING btree (workspace_id, location_type, updated_at, id);
CREATE INDEX jobs_public_updated ON public.jobs USING btree (workspace_id, updated_at, id) WHERE (status <> 'draft'::text);
CREATE INDEX jobs_published ON public.jobs USING btree (workspace_id, published_at, id);
CREATE UNIQUE INDEX jobs_pushed ON public.jobs USING btree (workspace_id, source_system, source_external_id) WHERE pushed;
CREATE UNIQUE INDEX jobs_slug ON public.jobs USING btree (workspace_id, slug);
CREATE INDEX jobs_source ON public.jobs USING btree (workspace_id, source_system, updated_at, id);
CREATE INDEX jobs_status_updated ON public.jobs USING btree (workspace_id, status, updated_at, id);
CREATE INDEX jobs_updated ON public.jobs USING btree (workspace_id, updated_at, id);
CREATE UNIQUE INDEX jobs_workspace_number ON public.jobs USING btree (workspace_id, number);
CREATE INDEX list_memberships_added ON public.list_memberships USING btree (workspace_id, list_id, added_at, id);
CREATE INDEX list_memberships_of ON public.list_memberships USING btree (workspace_id, sourced_profile_id, added_at, id);
CREATE UNIQUE INDEX list_memberships_profile ON public.list_memberships USING btree (workspace_id, list_id, sourced_profile_id);
CREATE INDEX list_memberships_stage ON public.list_memberships USING btree (workspace_id, list_id, stage);
CREATE INDEX lists_project ON public.lists USING btree (workspace_id, project_id, updated_at, id);
CREATE INDEX lists_updated ON public.lists USING btree (workspace_id, updated_at, id);
CREATE INDEX messages_applicant ON public.messages USING btree (workspace_id, applicant_id, created_at);
CREATE INDEX messages_application ON public.messages USING btree (workspace_id, application_id) WHERE (application_id IS NOT NULL);
CREATE INDEX messages_due ON public.messages USING btree (scheduled_for) WHERE (scheduled_for IS NOT NULL);
CREATE INDEX messages_failed ON public.messages USING btree (workspace_id, key_id, created_at) WHERE (status = 'failed'::text);
CREATE INDEX messages_idempotency ON public.messages USING btree (workspace_id, key_id, idempotency_key, created_at);
CREATE INDEX messages_received ON public.messages USING btree (workspace_id, created_at) WHERE (direction = 'in'::text);
CREATE UNIQUE INDEX messages_sent_once ON public.messages USING btree (workspace_id, key_id, idempotency_key, fingerprint) WHERE (status <> 'failed'::text);
CREATE INDEX monthly_usage_month ON public.monthly_usage USING btree (month);
CREATE INDEX note_mentions_open ON public.note_mentions USING btree (workspace_id, user_id, created_at) WHERE (done_at IS NULL);
CREATE INDEX notes_application ON public.notes USING btree (workspace_id, application_id, created_at, id);
CREATE INDEX oidc_records_expiry ON public.oidc_records USING btree (expires_at);
CREATE INDEX oidc_records_grant ON public.oidc_records USING btree (grant_hash) WHERE (grant_hash IS NOT NULL);
CREATE INDEX oidc_records_holder ON public.oidc_records USING btree (workspace_id, app_id, user_id) WHERE (app_id IS NOT NULL);
CREATE INDEX oidc_records_user ON public.oidc_records USING btree (workspace_id, user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX oidc_records_workspace ON public.oidc_records USING btree (workspace_id) WHERE (workspace_id IS NOT NULL);
CREATE INDEX order_reports_order ON public.order_reports USING btree (workspace_id, order_id, created_at, id);
CREATE INDEX orders_application ON public.orders USING btree (workspace_id, application_id, requested_at, id);
CREATE UNIQUE INDEX orders_external_id ON public.orders USING btree (workspace_id, vendor_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX orders_job ON public.orders USING btree (workspace_id, job_id, updated_at, id);
CREATE INDEX orders_next_check ON public.orders USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX orders_of_test_vendor ON public.orders USING btree (requested_at) WHERE (((vendor_id)::text = 'pk_0000000000testvend0r'::text) AND (status = ANY (ARRAY['requested'::text, 'invited'::text, 'in_progress'::text])));
CREATE UNIQUE INDEX orders_open ON public.orders USING btree (workspace_id, application_id, package_id) WHERE (status = ANY (ARRAY['requested'::text, 'invited'::text, 'in_progress'::text]));
CREATE INDEX orders_open_of_applicant ON public.orders USING btree (workspace_id, applicant_id) WHERE (status = ANY (ARRAY['requested'::text, 'invited'::text, 'in_progress'::text]));
CREATE INDEX orders_package ON public.orders USING btree (workspace_id, package_id, updated_at, id);
CREATE INDEX orders_previous ON public.orders USING btree (workspace_id, previous_order_id) WHERE (previous_order_id IS NOT NULL);
CREATE UNIQUE INDEX orders_source ON public.orders USING btree (workspace_id, source_system, source_external_id) WHERE (source_system IS NOT NULL);
CREATE INDEX orders_unreviewed ON public.orders USING btree (workspace_id, updated_at, id) WHERE ((reviewed_at IS NULL) AND ((status = ANY (ARRAY['invited'::text, 'declined'::text, 'failed'::text, 'completed'::text])) OR (waiting_on = 'workspace'::text)));
CREATE INDEX orders_updated ON public.orders USING btree (workspace_id, updated_at, id);
CREATE INDEX orders_vendor ON public.orders USING btree (workspace_id, vendor_id, updated_at, id);
CREATE INDEX packages_updated ON public.packages USING btree (workspace_id, updated_at, id);
CREATE INDEX partner_sessions_expiry ON public.partner_sessions USING btree (expires_at);
CREATE INDEX partner_sessions_secret ON public.partner_sessions USING btree (secret_hash);
CREATE INDEX passkey_challenges_expiry ON public.passkey_challenges USING btree (expires_at);
CREATE UNIQUE INDEX passkeys_credential ON public.passkeys USING btree (credential_id);
CREATE INDEX passkeys_user ON public.passkeys USING btree (workspace_id, user_id);
CREATE INDEX pending_submissions_application ON public.pending_submissions USING btree (workspace_id, application_id, submitted_at, id);
CREATE INDEX personal_data_reads_acting ON public.personal_data_reads USING btree (workspace_id, acting_user_id, at, id) WHERE (acting_user_id IS NOT NULL);
CREATE INDEX personal_data_reads_at ON public.personal_data_reads USING btree (workspace_id, at, id);
CREATE INDEX personal_data_reads_key ON public.personal_data_reads USING btree (key_id, at, id);
CREATE INDEX personal_data_reads_subject ON public.personal_data_reads USING btree (workspace_id, subject_id, at);
CREATE INDEX personal_data_usage_day ON public.personal_data_usage USING btree (day);
CREATE UNIQUE INDEX pipeline_stages_job ON public.pipeline_stages USING btree (workspace_id, job_id, "position");
CREATE INDEX planned_erasures_due ON public.planned_erasures USING btree (due_at);
CREATE INDEX pool_profiles_country ON public.pool_profiles USING btree (lower(location_country), last_seen_at, id);
CREATE UNIQUE INDEX pool_profiles_external ON public.pool_profiles USING btree (external_id) WHERE (external_id IS NOT NULL);
CREATE UNIQUE INDEX pool_profiles_linkedin ON public.pool_profiles USING btree (linkedin_key) WHERE (linkedin_key IS NOT NULL);
CREATE INDEX pool_profiles_parts ON public.pool_profiles USING gin (company_name gin_trgm_ops, job_title gin_trgm_ops) WITH (gin_pending_list_limit='4096');
CREATE INDEX pool_profiles_seen ON public.pool_profiles USING btree (last_seen_at, id);
CREATE INDEX pool_terms_changed ON public.pool_terms USING btree (changed, profile_id);
CREATE INDEX pool_terms_search ON public.pool_terms USING gin (terms) WITH (gin_pending_list_limit='4096');
CREATE INDEX pool_vocabulary_similar ON public.pool_vocabulary USING gin (word gin_trgm_ops);
CREATE INDEX prescreen_questions_job ON public.prescreen_questions USING btree (workspace_id, job_id, kind, "position");
CREATE INDEX projects_created ON public.projects USING btree (workspace_id, created_at, id);
CREATE INDEX projects_updated ON public.projects USING btree (workspace_id, updated_at, id);
CREATE INDEX request_log_created ON public.request_log USING btree (workspace_id, created_at);
CREATE INDEX request_log_errors ON public.request_log USING btree (workspace_id, created_at) WHERE (status >= 400);
CREATE INDEX request_log_key ON public.request_log USING btree (workspace_id, key_id, created_at);
CREATE INDEX resumes_applicant ON public.resumes USING btree (workspace_id, applicant_id, created_at, id);
CREATE UNIQUE INDEX resumes_application ON public.resumes USING btree (workspace_id, application_id);
CREATE INDEX resumes_contact_rules ON public.resumes USING btree (contact_rules) WHERE (parsed IS NOT NULL);
CREATE INDEX resumes_to_parse ON public.resumes USING btree (workspace_id, COALESCE(parse_leased_until, created_at), id) WHERE (parse_status = ANY (ARRAY['pending'::text, 'parsing'::text]));
CREATE INDEX scorecard_drafts_user ON public.scorecard_drafts USING btree (workspace_id, user_id);
CREATE INDEX scorecard_remarks_scorecard ON public.scorecard_remarks USING btree (workspace_id, scorecard_id, created_at, id);
CREATE INDEX scorecard_requests_due ON public.scorecard_requests USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (mailed_at IS NULL));
CREATE INDEX scorecard_requests_user ON public.scorecard_requests USING btree (workspace_id, user_id, requested_at);
CREATE INDEX scorecards_application ON public.scorecards USING btree (workspace_id, application_id, created_at, id);
CREATE UNIQUE INDEX secret_keys_first ON public.secret_keys USING btree (is_first) WHERE is_first;
CREATE INDEX sessions_age ON public.sessions USING btree (created_at);
CREATE INDEX sessions_user ON public.sessions USING btree (workspace_id, user_id, created_at);
CREATE INDEX sign_in_attempts_age ON public.sign_in_attempts USING btree (started_at);
CREATE INDEX sign_in_changes_user ON public.sign_in_changes USING btree (workspace_id, user_id, id);
CREATE INDEX sign_in_tickets_expiry ON public.sign_in_tickets USING btree (expires_at);
CREATE INDEX sourced_profiles_contact ON public.sourced_profiles USING btree (workspace_id, has_contact_info, updated_at, id);
CREATE UNIQUE INDEX sourced_profiles_external ON public.sourced_profiles USING btree (workspace_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX sourced_profiles_linkedin ON public.sourced_profiles USING btree (workspace_id, linkedin_key) WHERE (linkedin_key IS NOT NULL);
CREATE INDEX sourced_profiles_linkedin_anywhere ON public.sourced_profiles USING btree (linkedin_key) WHERE (linkedin_key IS NOT NULL);
CREATE INDEX sourced_profiles_origin ON public.sourced_profiles USING btree (workspace_id, origin, updated_at, id);
CREATE INDEX sourced_profiles_q ON public.sourced_profiles USING gin (lower(((((COALESCE(full_name, ''::text) || '
'::text) || COALESCE(job_title, ''::text)) || '
'::text) || COALESCE(company_name, ''::text))) gin_trgm_ops);
CREATE INDEX sourced_profiles_updated ON public.sourced_profiles USING btree (workspace_id, updated_at, id);
CREATE INDEX spent_challenges_expiry ON public.spent_challenges USING btree (expires_at);
CREATE INDEX suppressed_external_ids_of ON public.suppressed_external_ids USING btree (suppression_id);
CREATE INDEX suppressed_identifiers_of ON public.suppressed_identifiers USING btree (suppression_id);
CREATE UNIQUE INDEX suppression_log_of ON public.suppression_log USING btree (workspace_id, suppression_id);
CREATE INDEX suppression_log_suppression ON public.suppression_log USING btree (suppression_id);
CREATE INDEX task_states_application ON public.task_states USING btree (workspace_id, application_id);
CREATE INDEX task_states_snoozed ON public.task_states USING btree (workspace_id, user_id, kind) WHERE (snoozed_at IS NOT NULL);
CREATE INDEX team_mails_caused ON public.team_mails USING btree (workspace_id, sent_by, created_at);
CREATE INDEX team_mails_due ON public.team_mails USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX team_mails_interview ON public.team_mails USING btree (workspace_id, interview_id) WHERE (interview_id IS NOT NULL);
CREATE INDEX team_mails_received ON public.team_mails USING btree (workspace_id, user_id, created_at);
CREATE UNIQUE INDEX team_mails_summary ON public.team_mails USING btree (workspace_id, user_id) WHERE ((kind = 'summary'::text) AND (attempt = 0));
CREATE INDEX test_mails_newest ON public.test_mails USING btree (workspace_id, sent_at DESC, id DESC);
CREATE INDEX unsubscribes_anywhere ON public.unsubscribes USING btree (email_key);
CREATE INDEX uploads_expiry ON public.uploads USING btree (expires_at);
CREATE INDEX uploads_order ON public.uploads USING btree (workspace_id, order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX uploads_pending ON public.uploads USING btree (workspace_id, expires_at) WHERE (spent_at IS NULL);
CREATE INDEX users_created ON public.users USING btree (workspace_id, created_at, id);
CREATE UNIQUE INDEX users_email_key ON public.users USING btree (workspace_id, email_key, email_key_rank) WHERE (email_key IS NOT NULL);
CREATE INDEX users_handle ON public.users USING btree (id);
CREATE INDEX users_sign_in ON public.users USING btree (email_key) WHERE (email_key IS NOT NULL);
CREATE INDEX webhook_deliveries_created ON public.webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (workspace_id, endpoint_id, next_attempt_at) WHERE (status = ANY (ARRAY['pending'::text, 'retrying'::text]));
CREATE INDEX webhook_deliveries_endpoint ON public.webhook_deliveries USING btree (workspace_id, endpoint_id, created_at, id);
CREATE INDEX webhook_deliveries_event ON public.webhook_deliveries USING btree (workspace_id, event_id);
CREATE INDEX webhook_deliveries_exceptions ON public.webhook_deliveries USING btree (workspace_id, key_id, created_at, id) WHERE (status = ANY (ARRAY['failed'::text, 'canceled'::text, 'retrying'::text]));
CREATE INDEX webhook_deliveries_key ON public.webhook_deliveries USING btree (workspace_id, key_id, created_at, id);
CREATE INDEX webhook_deliveries_later ON public.webhook_deliveries USING btree (next_attempt_at) WHERE ((status = 'retrying'::text) AND (NOT ready));
CREATE INDEX webhook_deliveries_leased ON public.webhook_deliveries USING btree (workspace_id, endpoint_id) WHERE (lease_token IS NOT NULL);
CREATE INDEX webhook_deliveries_ready ON public.webhook_deliveries USING btree (workspace_id, endpoint_id, next_attempt_at) WHERE ((status = ANY (ARRAY['pending'::text, 'retrying'::text])) AND ready);
CREATE INDEX webhook_endpoints_by_key ON public.webhook_endpoints USING btree (key_id);
CREATE INDEX webhook_endpoints_key ON public.webhook_endpoints USING btree (workspace_id, key_id, created_at, id);
CREATE INDEX webhook_endpoints_source ON public.webhook_endpoints USING btree (source_id) WHERE (source_id IS NOT NULL);
CREATE UNIQUE INDEX webhook_endpoints_url ON public.webhook_endpoints USING btree (workspace_id, key_id, url);
CREATE INDEX webhook_stats_hour ON public.webhook_stats USING btree (hour);
CREATE INDEX workspace_deletions_notify ON public.workspace_deletions USING btree (notify_at) WHERE (notify_at IS NOT NULL);
CREATE INDEX workspace_deletions_open ON public.workspace_deletions USING btree (delete_at) WHERE (completed_at IS NULL);
CREATE INDEX workspace_retention_due ON public.workspace_retention USING btree (due_at);
CREATE UNIQUE INDEX workspace_suppressions_of ON public.workspace_suppressions USING btree (suppression_id, workspace_id) NULLS NOT DISTINCT;
CREATE INDEX workspace_suppressions_workspace ON public.workspace_suppressions USING btree (workspace_id) WHERE (workspace_id IS NOT NULL);
CREATE INDEX workspaces_updated ON public.workspaces USING btree (updated_at, id);
