-- outside a transaction: indexes of tables that are in use.
-- Candidates are found by a whole phone number.
create index concurrently if not exists applicants_phone_key on applicants (workspace_id, phone_key(phone))
  where phone_key(phone) is not null;
create index concurrently if not exists contact_values_phone_key on contact_values (workspace_id, phone_key(value))
  where field = 'phone' and phone_key(value) is not null;
