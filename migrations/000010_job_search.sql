-- Full text over jobs. A workspace's list stays in the order of change, so a search must find the newest matches of
-- few or of very many: a narrow copy of what is filtered and sorted by stands beside the words, and a page reads that
-- copy alone before it reads the jobs it shows.
create extension if not exists pg_trgm;
create extension if not exists unaccent;
create extension if not exists btree_gin;

-- English stems without stop words: "IT" is a department. Queries leave stop words out unless they hold nothing else.
create text search dictionary job_stem (template = snowball, language = english);
create text search configuration job_stems (copy = simple);
alter text search configuration job_stems alter mapping for asciiword, word, numword with unaccent, job_stem;
-- The words themselves.
create text search configuration job_plain (copy = simple);
alter text search configuration job_plain alter mapping for asciiword, word, numword with unaccent, simple;

-- Words are letters and digits. Names that live by their punctuation are spelt out first; a dot, a slash or a hyphen
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
  primary key (workspace_id, id),
  foreign key (workspace_id, id) references jobs (workspace_id, id) on delete cascade
);
-- The words stand apart from the row: a scan over tens of thousands of rows then reads a few megabytes.
alter table job_search alter column terms set storage external;
alter table job_search set (toast_tuple_target = 128);
create index job_search_updated on job_search (workspace_id, updated_at, id);
-- Without a list of pending entries, which every search would have to read through.
create index job_search_terms on job_search using gin (workspace_id, terms) with (fastupdate = off);

-- Every word that the jobs of a workspace have ever used, with its stem: completes beginnings, tells a misspelt word
-- from a rare one, and offers what it may have meant. A word whose last job is gone does no harm.
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

-- Whoever writes a job, its search row follows.
create function job_search_follow() returns trigger language plpgsql as $$
declare
  words text;
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
  words := job_search_text(concat_ws(' ', new.title, new.department, new.summary, new.description_md,
    new.skills_required::text, new.skills_preferred::text));
  insert into job_search
    (workspace_id, id, updated_at, status, department, location_type, employment_type, published_at, terms)
  values (new.workspace_id, new.id, new.updated_at, new.status, new.department, new.location_type, new.employment_type,
    new.published_at, strip(to_tsvector('job_stems', words)))
  on conflict (workspace_id, id) do update set updated_at = excluded.updated_at, status = excluded.status,
    department = excluded.department, location_type = excluded.location_type,
    employment_type = excluded.employment_type, published_at = excluded.published_at, terms = excluded.terms;
  -- Nearly all are there already, so each is looked up first. In the order of the words, so that two writers of the
  -- same new ones wait for each other in one direction only.
  insert into job_words (workspace_id, word, lexeme)
  select new.workspace_id, w.word, (ts_lexize('job_stem', w.word))[1]
  from unnest(tsvector_to_array(to_tsvector('job_plain', words))) as w (word)
  where length(w.word) between 3 and 40 and w.word !~ '^[0-9]+$'
    and (select k.word from job_words k where k.workspace_id = new.workspace_id and k.word = w.word) is null
  order by w.word
  on conflict do nothing;
  return null;
end
$$;
create trigger job_search_follow after insert or update on jobs for each row execute function job_search_follow();

-- Jobs that are there already get their search rows.
update jobs set title = title;
