-- The last backup, and whether this installation sends webhooks and email. A restored store does not, until its operator
-- decides that it replaces the original.
alter table installation
  add column id uuid not null default gen_random_uuid(),
  add column last_backup_at timestamptz(3),
  add column last_backup_name text,
  add column restored_at timestamptz(3),
  add column sending_held_at timestamptz(3);
