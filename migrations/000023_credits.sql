-- Credits of a workspace: what it has now, and how many entries its ledger has. A workspace without a row has none.
create table credit_balances (
  workspace_id handle primary key references workspaces (id) on delete cascade,
  balance integer not null check (balance >= 0),
  entries bigint not null check (entries >= 1)
);

-- The ledger. Entries are numbered while the balance is locked, so every `balance` is the sum of the amounts so far.
create table credit_entries (
  workspace_id handle not null references workspaces (id) on delete cascade,
  sequence bigint not null,
  kind text not null check (kind in ('grant', 'resume_unlock', 'contact_reveal')),
  amount integer not null check (amount <> 0),
  balance integer not null check (balance >= 0),
  user_id handle,
  subject_id handle,
  note text,
  created_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, sequence),
  check ((kind = 'grant') = (amount > 0)),
  check ((kind = 'grant') = (subject_id is null))
);
comment on column credit_entries.user_id is 'null: granted by the operator, at the command line';
comment on column credit_entries.subject_id is 'the application or sourced profile that was paid for; it may be gone since';
comment on column credit_entries.note is 'why credits were granted';

-- Append only: an entry is neither changed nor deleted, except together with its workspace.
create function refuse_credit_change() returns trigger language plpgsql as $$
begin
  raise exception 'entries of the credit ledger cannot be changed or deleted';
end $$;
create trigger credit_entries_append_only before update or delete on credit_entries
  for each row when (pg_trigger_depth() = 0) execute function refuse_credit_change();
