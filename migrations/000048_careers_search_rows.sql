-- in batches
select job_search_rebuild(200) as changed
