-- Whose person a sign-in token acted for: an export belongs to the credential and the person that asked for it.
alter table exports add column acting_user_id handle;

-- Each try writes its files under a name of its own, so that a worker that lost its lease never meets the next one.
alter table exports add column attempt uuid;
alter table exports add column tries integer not null default 0;

-- Set when the export's time is over and everything that any try left is noted for removal.
alter table exports add column swept boolean not null default false;

create index exports_key on exports (key_id);

comment on column doomed_blobs.blob_key is 'a key, or, ending in a slash, everything below it';
