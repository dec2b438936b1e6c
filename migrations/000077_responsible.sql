-- The member who is responsible for a candidate. Users are on the coordinator of a cluster, so there is no foreign key: who
-- leaves, or loses access to the job, is removed here by the action that ends it.
alter table applications add column owner_user_id handle;
comment on column applications.owner_user_id is 'the member who is responsible; null: recruiters and hiring managers of the job are';
