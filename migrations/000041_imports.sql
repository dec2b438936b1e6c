-- How far the import of a file has come. Written in the transaction of each batch, so that an import that was
-- interrupted goes on after its last batch, and none of its lines is taken twice.
create table imports (
  kind text not null,
  -- the workspace that the rows go to; empty for the shared pool
  target text not null,
  -- SHA-256 of the file's size, beginning and end
  fingerprint bytea not null,
  bytes_done bigint not null default 0,
  lines_done bigint not null default 0,
  rows_stored bigint not null default 0,
  bad_lines bigint not null default 0,
  started_at timestamptz(3) not null default app_now(),
  finished_at timestamptz(3),
  primary key (kind, target, fingerprint)
);
