-- A frequent word together with a narrow time of publication: the day, the month and the year of it stand among the
-- words, so that the index of words finds the jobs that have both. A blank comes first, which no word begins with.
create function job_published_terms(published_at timestamptz) returns text[] language sql immutable parallel safe as $$
  select case when published_at is null then '{}'::text[] else array[
    to_char(published_at at time zone 'UTC', '" "YYYY'),
    to_char(published_at at time zone 'UTC', '" "YYYY-MM'),
    to_char(published_at at time zone 'UTC', '" "YYYY-MM-DD')] end
$$;

-- The days, whole months and whole years that a time between two others can lie in. Wider than these by less than two
-- days; whoever asks compares exactly.
create function job_published_query(after timestamptz, before timestamptz) returns tsquery language sql stable as $$
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
$$;

create or replace function job_search_write(j jobs) returns void language plpgsql as $$
declare
  words text[];
begin
  words := array(
    select w.lexeme
    from unnest(to_tsvector('job_plain', job_search_text(concat_ws(' ', j.title, j.department, j.summary,
      (select string_agg(skill, ' ') from jsonb_array_elements_text(j.skills_required || j.skills_preferred) skill),
      j.description_md)))) as w
    order by w.positions[1], w.lexeme limit 2000);
  insert into job_search
    (workspace_id, id, updated_at, status, department, location_type, employment_type, published_at, terms)
  values (j.workspace_id, j.id, j.updated_at, j.status, j.department, j.location_type, j.employment_type,
    j.published_at, array_to_tsvector(array(select (ts_lexize('job_stem', word))[1] from unnest(words) word)
      || job_published_terms(j.published_at)))
  on conflict (workspace_id, id) do update set updated_at = excluded.updated_at, status = excluded.status,
    department = excluded.department, location_type = excluded.location_type,
    employment_type = excluded.employment_type, published_at = excluded.published_at, terms = excluded.terms;
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
  perform job_search_write(new);
  return null;
end
$$;

update job_search set terms = terms || array_to_tsvector(job_published_terms(published_at)) where published_at is not null;
