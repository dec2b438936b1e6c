-- A frequent word together with a rare filter: the filters stand in the index of words, so that it finds the few jobs
-- that have both without reading the many that have the word.
drop index job_search_terms;

-- Writes what is searched of a job. A job is found by its first 2 000 different words, in the order title, department,
-- summary, skills, description: far more than any posting has, and a bound on what one write can cost.
create function job_search_write(j jobs) returns void language plpgsql as $$
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
    j.published_at, array_to_tsvector(array(select (ts_lexize('job_stem', word))[1] from unnest(words) word)))
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
      location_type = new.location_type, employment_type = new.employment_type, published_at = new.published_at
    where workspace_id = new.workspace_id and id = new.id;
    if found then
      return null;
    end if;
  end if;
  perform job_search_write(new);
  return null;
end
$$;

-- Skills with a line break or a tab were taken for other words: everything is written anew.
delete from job_words;
delete from job_search;
do $$ begin perform job_search_write(j) from jobs j; end $$;
create index job_search_terms on job_search
  using gin (workspace_id, status, department, location_type, employment_type, terms) with (fastupdate = off);
