alter table doomed_blobs rename to blob_deletions;
alter index doomed_blobs_pkey rename to blob_deletions_pkey;
comment on column blob_deletions.blob_key is 'a key, or a prefix that ends with a slash: everything below it is deleted';
