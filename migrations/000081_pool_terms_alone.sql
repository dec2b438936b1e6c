-- A profile is emptied, never deleted, and what the search looks at is written with it in one transaction. Looking each
-- of them up again was a tenth of the store's work on an import.
alter table pool_terms drop constraint pool_terms_profile_id_fkey;
