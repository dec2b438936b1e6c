-- The privacy notice of the vendor that candidates are shown, as it was when the check was ordered.
alter table orders add column privacy_url text;
comment on column orders.privacy_url is 'as the package had it; null: ordered before this column';
