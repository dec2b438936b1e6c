-- A change of a workspace's template form changes the form of every job that uses it. Those that are not told yet are
-- the ones after `after_id`; when the last is told, the row goes.
create table template_form_changes (
  workspace_id handle primary key references workspaces on delete cascade,
  after_id text collate "C" not null,
  origin_key_id text
);
