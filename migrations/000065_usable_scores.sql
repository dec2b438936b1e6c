-- in batches
select fill_usable_scores(1000) as changed
