-- A log for each workspace: its numbers count in it alone and say nothing of what happens in other workspaces. The
-- sequencer locks the rows of the logs that it appends to, in the order of their key, before it reads what waits: so
-- numbers become visible in order in each log, even if two sequencers believe that they lead.
create table event_logs (
  workspace_id handle primary key references workspaces on delete cascade,
  last_sequence bigint not null default 0,
  -- the first number that retention has kept
  oldest_sequence bigint not null default 1,
  -- Numbers that were given out by a store that a backup has replaced: a reader that stands there has seen events that
  -- never happened here. A range for each epoch that was begun.
  lost int8multirange not null default '{}'
) with (fillfactor = 50);

-- Readers continue where they are: events keep their numbers, and every log goes on from the number that the log of the
-- whole installation had reached, which any of them may have saved.
insert into event_logs (workspace_id, last_sequence, oldest_sequence)
select w.id, f.last_sequence, f.oldest_sequence from workspaces w, feed_state f;

-- By trigger, so that no workspace is ever without its log.
create function open_event_log() returns trigger language plpgsql as $$
begin
  insert into event_logs (workspace_id) values (new.id);
  return null;
end
$$;
create trigger workspaces_event_log after insert on workspaces for each row execute function open_event_log();

alter table events drop constraint events_pkey;
drop index events_id;
drop index events_of_none;
drop index events_created;

-- Events of no workspace (the shared pool's) move into the logs of the workspaces that have a reader for them.
insert into events (sequence, workspace_id, id, type, origin_key_id, created_at, body)
select e.sequence, r.workspace_id, e.id, e.type, e.origin_key_id, e.created_at, e.body
from events e join (
  select l.workspace_id, k.scopes from event_logs l join api_keys k
    on k.workspace_scope = 'all' or l.workspace_id = any(k.workspace_ids)
      or k.workspace_scope = 'single' and l.workspace_id = k.workspace_id
  where k.revoked_at is null and (k.expires_at is null or k.expires_at > app_now())
  union all
  select c.workspace_id, c.scopes from app_consents c where c.revoked_at is null
) r on r.scopes @> array[case when e.type like 'pool.%' then 'pool:read' else 'events:read' end]
where e.workspace_id is null
group by r.workspace_id, e.sequence, e.id, e.type, e.origin_key_id, e.created_at, e.body;
delete from events where workspace_id is null;

drop index events_workspace;
alter table events add primary key (workspace_id, sequence);
-- One event may stand in several logs, each time under its one id.
create unique index events_id on events (workspace_id, id);

-- The epoch names the course of events that the numbers belong to: it changes when the store is restored from a backup.
alter table feed_state drop column last_sequence, drop column oldest_sequence,
  add column epoch text not null default md5(gen_random_uuid()::text);
