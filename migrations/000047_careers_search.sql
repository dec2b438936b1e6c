-- A search finds a job by every fact that its row in a list shows. Names of values are spelled out in the languages of the
-- careers sites; a test searches for each of them.

-- Names that are written in one word, in two or with a hyphen are one word: "full-time", "vor Ort", "home office".
create or replace function job_search_text(words text) returns text language sql immutable parallel safe as $$
  select regexp_replace(regexp_replace(regexp_replace(
    regexp_replace(
      replace(replace(replace(replace(lower(words), 'c++', ' cplusplus '), 'c#', ' csharp '), 'f#', ' fsharp '),
        '.net', ' dotnet '),
      '[!-/:-@\[-`{-~]+', ' ', 'g'),
    '\m(full|part)\s+time\M', '\1time', 'g'), '\m(on\s+site|vor\s+ort)\M', 'onsite', 'g'),
    '\mhome\s+office\M', 'homeoffice', 'g')
$$;

create function job_fact_words(location_type text, employment_type text) returns text
language sql immutable parallel safe as $$
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
$$;

create or replace function job_search_follow() returns trigger language plpgsql as $$
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
$$;

-- Rows that are inserted from now on have 2; the next migration builds the others again.
alter table job_search add column layout smallint not null default 1;
alter table job_search alter column layout set default 2;
comment on column job_search.layout is '1: without the facts of the job; 2: with them';

-- A job that is written without its search row gets a new one from the trigger.
create function job_search_rebuild(batch integer) returns integer language plpgsql as $$
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
$$;

-- Last, because this lock stops every reader until the commit.
alter table career_sites add column imprint_url text, add column listed boolean not null default false;
comment on column career_sites.listed is 'the sitemap of the installation names the site';
