-- Applicants without an application are few among many: the list of them reads no others.
create index applicants_without_applications on applicants (workspace_id, updated_at, id) where application_count = 0;

-- Files whose record is gone. Noted in the transaction that removes the record, so that a crash before the file is
-- removed leaves a note and not a file that nobody knows of.
create table doomed_blobs (
  blob_key text collate "C" primary key,
  added_at timestamptz(3) not null default app_now()
);

-- A worker that lost its lease must not write over the result of the one that took over.
alter table resumes add column parse_lease_token uuid;

-- Attached uploads are swept too, a day after their hour; the index there is covers only those still pending.
drop index uploads_expiry;
create index uploads_expiry on uploads (expires_at);

-- People of another system are found again by its own id.
create index applicants_external_refs on applicants using gin (external_refs jsonb_path_ops);
