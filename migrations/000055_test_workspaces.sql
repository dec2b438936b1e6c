-- A workspace is for tests or not, from its creation on. One for tests cannot send mail and holds no real people.
alter table workspaces
  add column environment text not null default 'live' check (environment in ('live', 'test')),
  add column mailbox_domain text,
  add column test_of handle,
  add constraint workspaces_test_check
    check ((environment = 'test') = (mailbox_domain is not null) and (environment = 'test' or test_of is null));
comment on column workspaces.mailbox_domain is 'the domain whose mail a test workspace captures; null: a live workspace';
comment on column workspaces.test_of is 'the live workspace that a test workspace was created for; null: by the operator';

create function refuse_environment_change() returns trigger language plpgsql as $$
begin
  raise exception 'the environment of a workspace is fixed when it is created';
end
$$;
create trigger workspaces_environment_fixed before update of environment, mailbox_domain on workspaces
  for each row when (old.environment <> new.environment or old.mailbox_domain is distinct from new.mailbox_domain)
  execute function refuse_environment_change();

-- It is part of what processes cache of a key, though it never changes.
drop trigger workspaces_cached_changed on workspaces;
create trigger workspaces_cached_changed
  after update of id, plan, own_limits, closing_at, environment or delete on workspaces
  for each row execute function note_key_change();

-- What a test workspace would have sent.
create table test_mails (
  workspace_id handle not null,
  id text not null,
  to_name text,
  to_address text not null,
  to_key text not null,
  reply_to text,
  subject text not null,
  body_text text not null,
  body_html text,
  sent_at timestamptz(3) not null default app_now(),
  primary key (workspace_id, id)
);
comment on column test_mails.to_key is 'by which an erasure finds the emails of a person';
create index test_mails_newest on test_mails (workspace_id, sent_at desc, id desc);
comment on table test_mails is 'the mailbox of a test workspace: emails that no mail server is given';

-- A reset of a test workspace begins another history of its log; the numbers go on.
alter table event_logs add column epoch text;
comment on column event_logs.epoch is 'of a test workspace that was reset; null: that of the installation';
