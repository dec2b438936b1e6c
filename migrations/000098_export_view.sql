-- Whether the rows of an export are those of the lists or those of the single reads.
alter table exports add column view text not null default 'list' check (view in ('list', 'full'));
