-- Whether a part of a title or company is frequent is estimated from the values that the planner takes note of. Of a hundred,
-- the usual number, all may happen to lack a word that a tenth of the titles have; then its index is read, which takes
-- hundreds of times as long as the walk that meets it soon.
alter table pool_profiles alter column job_title set statistics 500, alter column company_name set statistics 500;
