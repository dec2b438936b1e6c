-- Hires are few: their median is taken from all of them, out of this index alone.
create index application_funnel_hires on application_funnel (workspace_id, applied_at)
  include (days_to_hire, job_id, source) where days_to_hire is not null;

-- A job or a source with few applications among very many has more of them measured than an even draw would give it.
create index application_funnel_job_lots on application_funnel (workspace_id, job_id, lot) where hours is not null;
create index application_funnel_source_lots on application_funnel (workspace_id, source, lot) where hours is not null;
