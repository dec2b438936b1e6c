-- Full-text search over jobs. A workspace's list is in the order of change, so a search must find the newest matches, be
-- they few or very many: a narrow copy of the columns that are filtered and sorted by is stored with the words, and a page
-- reads that copy alone before it reads the jobs it shows.

-- English stems without stop words: "IT" is a department. Queries omit stop words unless they contain nothing else.
create text search dictionary job_stem (template = snowball, language = english);
create text search configuration job_stems (copy = simple);
alter text search configuration job_stems alter mapping for asciiword, word, numword with unaccent, job_stem;
-- The words themselves.
create text search configuration job_plain (copy = simple);
alter text search configuration job_plain alter mapping for asciiword, word, numword with unaccent, simple;

-- Words are letters and digits. Names that depend on their punctuation are spelled out first; a dot, a slash or a hyphen
-- separates words, so that "Node.js" is found by "node" and "CI/CD" by "cd".
create function job_search_text(words text) returns text language sql immutable parallel safe as $$
  select regexp_replace(
    replace(replace(replace(replace(lower(words), 'c++', ' cplusplus '), 'c#', ' csharp '), 'f#', ' fsharp '),
      '.net', ' dotnet '),
    '[!-/:-@\[-`{-~]+', ' ', 'g')
$$;

create table job_search (
  workspace_id handle not null,
  id handle not null,
  updated_at timestamptz(3) not null,
  status text not null,
  department text,
  location_type text,
  employment_type text,
  published_at timestamptz(3),
  -- stems of title, department, summary, description and skills, without positions: nothing is ranked
  terms tsvector not null,
  -- a job keeps its source for life, so only an insert writes these
  source_system text,
  source_external_id text,
  primary key (workspace_id, id),
  foreign key (workspace_id, id) references jobs (workspace_id, id) on delete cascade
);
-- The words are stored outside the row: a scan over tens of thousands of rows then reads a few megabytes.
alter table job_search alter column terms set storage external;
alter table job_search set (toast_tuple_target = 128);
create index job_search_updated on job_search (workspace_id, updated_at, id);
-- A frequent word together with a rare filter: the filters are columns of the index, so that it finds the few jobs that
-- have both without reading the many that have the word. No pending list, which every search would have to read.
create index job_search_terms on job_search
  using gin (workspace_id, status, department, location_type, employment_type, source_system, source_external_id, terms)
  with (fastupdate = off);

-- Every word that the jobs of a workspace have ever used, with its stem: completes prefixes, distinguishes a misspelled
-- word from a rare one, and suggests corrections. A word whose last job was deleted does no harm.
create table job_words (
  workspace_id handle not null references workspaces on delete cascade,
  word text collate "C" not null,
  lexeme text collate "C" not null,
  primary key (workspace_id, word)
);
create index job_words_lexeme on job_words (workspace_id, lexeme);
create index job_words_alike on job_words using gin (workspace_id, word gin_trgm_ops) with (fastupdate = off);

-- Words that share a fifth of their trigrams with another: two swapped letters of six leave no more.
create function job_words_like(workspace text, misspelt text) returns table (word text, lexeme text)
language sql stable set pg_trgm.similarity_threshold = '0.2' as $$
  select w.word, w.lexeme from job_words w
  where w.workspace_id = workspace and w.word % misspelt and abs(length(w.word) - length(misspelt)) <= 2
  order by similarity(w.word, misspelt) desc, w.word
  limit 40
$$;

-- A frequent word together with a narrow range of publication times: the day, the month and the year are terms too, so
-- that the index finds the jobs that have both. They start with a space, which no word starts with.
create function job_published_terms(published_at timestamptz) returns text[] language sql immutable parallel safe as $$
  select case when published_at is null then '{}'::text[] else array[
    to_char(published_at at time zone 'UTC', '" "YYYY'),
    to_char(published_at at time zone 'UTC', '" "YYYY-MM'),
    to_char(published_at at time zone 'UTC', '" "YYYY-MM-DD')] end
$$;

-- The days, whole months and whole years that a time between two others can be in. Up to two days wider than asked for;
-- the caller compares exactly.
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

-- Writes the search row of a job. A job is found by its first 2,000 different words, in the order title, department,
-- summary, skills, description: far more than any posting has, and a limit on the cost of one write.
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

-- By trigger: the search row follows every write of a job. A change that leaves the words alone updates the columns only.
create function job_search_follow() returns trigger language plpgsql as $$
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
create trigger job_search_follow after insert or update on jobs for each row execute function job_search_follow();
