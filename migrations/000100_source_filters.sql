-- Lists filtered by where a record came from. Of applications every status is read in its own order and merged, so that
-- a rare status of a large system is found as fast as a frequent one. External ids are nearly unique: few rows share one.
create index applications_source on applications (workspace_id, source_system, status, updated_at, id)
  where source_system is not null;
create index applications_external_id on applications (workspace_id, source_external_id, updated_at, id)
  where source_external_id is not null;
create index jobs_source on jobs (workspace_id, source_system, updated_at, id);
create index jobs_external_id on jobs (workspace_id, source_external_id, updated_at, id)
  where source_external_id is not null;

-- The same filters together with a text search. A job keeps its source for life, so only an insert writes these columns.
alter table job_search add column source_system text, add column source_external_id text;
update job_search s set source_system = j.source_system, source_external_id = j.source_external_id
from jobs j where j.workspace_id = s.workspace_id and j.id = s.id;

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
$$;

drop index job_search_terms;
create index job_search_terms on job_search
  using gin (workspace_id, status, department, location_type, employment_type, source_system, source_external_id, terms)
  with (fastupdate = off);
