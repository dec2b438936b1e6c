-- People of a workspace by parts of their name, for the search of the hiring pages.
create index applicants_name_parts on applicants using gin (workspace_id, lower(full_name) gin_trgm_ops) with (fastupdate = off);
