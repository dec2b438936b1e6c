-- Entries of an index are cheapest to place when many come at once. 4 MB wait at most, which a look-up reads in some
-- milliseconds; an import leaves none behind.
alter index pool_terms_search set (gin_pending_list_limit = 4096);
alter index pool_profiles_parts set (gin_pending_list_limit = 4096);
