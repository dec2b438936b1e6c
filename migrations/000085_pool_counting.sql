-- A row while an import counts the words of the pool in its memory. One that is there when the next import begins was left
-- by one that was killed: its counts are lost, and the vocabulary is counted anew.
create table pool_counting (
  begun_at timestamptz(3) not null default app_now()
);
-- What was counted until now may lack words in the same way.
insert into pool_counting select where exists (select from pool_profiles);
