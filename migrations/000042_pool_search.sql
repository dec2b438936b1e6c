-- What the search looks at, apart from the profiles: a profile that is seen again unchanged costs its index nothing.
-- A term is a word with the field it stands in: t: title, s: a whole skill, c: company, l: place, w: anything else.
create table pool_terms (
  profile_id handle primary key references pool_profiles on delete cascade,
  -- words of the title: of two that match alike, the one that says nothing else is nearer
  title_words smallint not null,
  terms tsvector not null,
  -- the transaction that wrote it, by which a process that holds the terms in memory learns what is new
  changed xid8 not null default pg_current_xact_id()
);
create index pool_terms_changed on pool_terms (changed, profile_id);
-- A search reads the pending list from end to end, so it is kept short: 512 kB are read in about a millisecond.
create index pool_terms_search on pool_terms using gin (terms) with (gin_pending_list_limit = 512);

-- Every term with the number of profiles that have it: how much a word tells, and what a misspelt one may have meant.
-- Counted when profiles are added; an estimate, which is all that both uses need.
create table pool_vocabulary (
  field text collate "C" not null,
  word text collate "C" not null,
  profiles bigint not null,
  primary key (field, word)
);
create index pool_vocabulary_similar on pool_vocabulary using gin (word gin_trgm_ops);

-- Rows without a LinkedIn address are told apart by the name that their provider gives them.
alter table pool_profiles add column external_id text collate "C";
create unique index pool_profiles_external on pool_profiles (external_id) where external_id is not null;
