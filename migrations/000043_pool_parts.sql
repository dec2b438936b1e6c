-- Parts of a company or a title that few profiles have are found by their letter triples instead of by a walk through
-- the whole pool; parts that many have are met soon on the walk from the most recently seen. One index for both, so
-- that an import writes one. Its pending list is read from end to end by every look-up and therefore kept short.
create index pool_profiles_parts on pool_profiles using gin (company_name gin_trgm_ops, job_title gin_trgm_ops)
  with (gin_pending_list_limit = 512);
