-- Counts of whole days by source, and of whole months by job and by job with source: whatever the funnel is filtered and
-- grouped by, one of them tells it, and the rest of the window is counted one by one. Empty where not counted by.
lock table application_funnel in share row exclusive mode;
drop table funnel_counts;
create table funnel_counts (
  workspace_id handle not null references workspaces on delete cascade,
  dimension text not null check (dimension in ('day', 'job', 'job_source')),
  source text collate "C" not null,
  since date not null,
  job_id handle not null,
  code smallint not null,
  n integer not null,
  primary key (workspace_id, dimension, source, since, job_id, code)
);
delete from funnel_changes;
insert into funnel_counts (workspace_id, dimension, source, since, job_id, code, n)
select workspace_id, 'day', source, (applied_at at time zone 'UTC')::date, '', code, count(*) from application_funnel
group by 1, 3, 4, 6;
insert into funnel_counts (workspace_id, dimension, source, since, job_id, code, n)
select workspace_id, 'job_source', source, date_trunc('month', applied_at at time zone 'UTC')::date, job_id, code, count(*)
from application_funnel group by 1, 3, 4, 5, 6;
insert into funnel_counts (workspace_id, dimension, source, since, job_id, code, n)
select workspace_id, 'job', '', since, job_id, code, sum(n) from funnel_counts
where dimension = 'job_source' group by 1, 4, 5, 6;

-- Applications are measured out of these indexes alone: their rows are spread over the whole table.
drop index application_funnel_lots, application_funnel_job_lots;
create index application_funnel_lots on application_funnel (workspace_id, lot)
  include (applied_at, job_id, source, hours) where hours is not null;
create index application_funnel_job_lots on application_funnel (workspace_id, job_id, lot)
  include (applied_at, source, hours) where hours is not null;
