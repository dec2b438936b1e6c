-- Shared by all workspaces, hence without workspace_id.
create table pool_profiles (
  id handle primary key,
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
  linkedin_key text collate "C",
  github_url text,
  photo_url text,
  summary text,
  skills jsonb not null default '[]',
  languages jsonb not null default '[]',
  total_experience_months integer,
  connections_count integer,
  follower_count integer,
  provider text,
  suppressed_at timestamptz(3),
  first_seen_at timestamptz(3) not null default app_now(),
  last_seen_at timestamptz(3) not null default app_now(),
  -- rows without a LinkedIn URL are identified by the id that their provider gives them
  external_id text collate "C"
);
-- Whether a part of a title or company is frequent is estimated from the values in the planner's statistics. With the
-- default of 100 values, all may happen to lack a word that a tenth of the titles have; the index is then read, which
-- takes hundreds of times as long as the scan that soon finds the word.
alter table pool_profiles alter column job_title set statistics 500, alter column company_name set statistics 500;
create unique index pool_profiles_linkedin on pool_profiles (linkedin_key) where linkedin_key is not null;
create index pool_profiles_seen on pool_profiles (last_seen_at, id);
create index pool_profiles_country on pool_profiles (lower(location_country), last_seen_at, id);
create unique index pool_profiles_external on pool_profiles (external_id) where external_id is not null;
-- Parts of a company or a title that few profiles have are found by their trigrams instead of a scan of the whole pool;
-- parts that many have are soon found by the scan from the most recently seen. One index for both, so that an import
-- writes one. Entries are cheapest to insert when many come at once: 4 MB are pending at most, which a look-up reads in
-- some milliseconds; an import leaves none behind.
create index pool_profiles_parts on pool_profiles using gin (company_name gin_trgm_ops, job_title gin_trgm_ops)
  with (gin_pending_list_limit = 4096);

-- What the search reads, separate from the profiles: a profile that is seen again unchanged costs its index nothing.
-- A term is a word with its field: t: title, s: a whole skill, c: company, l: location, w: anything else. No foreign key:
-- a profile is emptied, never deleted, and its terms are written in the same transaction; checking each of them took a
-- tenth of the time of an import.
create table pool_terms (
  profile_id handle primary key,
  -- words of the title: of two equal matches, the one that has no other words ranks higher
  title_words smallint not null,
  terms tsvector not null,
  -- the transaction that wrote it, by which a process with the terms in memory finds what is new
  changed xid8 not null default pg_current_xact_id()
);
create index pool_terms_changed on pool_terms (changed, profile_id);
create index pool_terms_search on pool_terms using gin (terms) with (gin_pending_list_limit = 4096);

-- Every term with the number of profiles that have it: how selective a word is, and what a misspelled one may mean.
-- Counted when profiles are added; an estimate, which is sufficient for both.
create table pool_vocabulary (
  field text collate "C" not null,
  word text collate "C" not null,
  profiles bigint not null,
  primary key (field, word)
);
create index pool_vocabulary_similar on pool_vocabulary using gin (word gin_trgm_ops);

-- A row while an import counts the words of the pool in its memory. A row that exists when the next import starts was left
-- by one that was killed: its counts are lost, and the vocabulary is counted again.
create table pool_counting (
  begun_at timestamptz(3) not null default app_now()
);

-- Every single letter and pair of letters that occurs in a company or a title, as written and in lower case. No index
-- finds so short a part; that a part does not occur is known from here, without a scan of the whole pool.
create table pool_short_parts (
  field text not null check (field in ('company', 'title')),
  part text collate "C" not null,
  primary key (field, part)
);
