-- The score of an application, beside what applications are found by: a page of the best of a job is then read in the order
-- of an index. It is the copy of application_scores.match_pct, or -1 where there is none or where the processing of the
-- person was stopped. Triggers write it, so that it also follows processes of the last release and rows that are loaded.
alter table applications add column usable_score integer;
-- rows that were there are filled by 000065
alter table applications alter column usable_score set default -1;
comment on column applications.usable_score is 'copied by triggers; -1: no score that may be used';

-- Who stops the processing of a person locks the row of the application as well, so one of two concurrent changes waits for
-- the other and sees what it wrote.
create function copy_score() returns trigger language plpgsql as $$
declare
  person handle;
begin
  if tg_op = 'DELETE' then
    update applications a set usable_score = -1 where a.workspace_id = old.workspace_id and a.id = old.application_id;
    return null;
  end if;
  select a.applicant_id into person
  from applications a where a.workspace_id = new.workspace_id and a.id = new.application_id for update;
  perform from applicants p where p.workspace_id = new.workspace_id and p.id = person and p.suppressed_at is not null;
  if not found then
    update applications a set usable_score = new.match_pct
    where a.workspace_id = new.workspace_id and a.id = new.application_id;
  end if;
  return null;
end
$$;
create trigger application_scores_copied after insert on application_scores
  for each row execute function copy_score();
create trigger application_scores_copied_again after update of match_pct on application_scores
  for each row when (old.match_pct <> new.match_pct) execute function copy_score();
-- Not where the score goes with its application.
create trigger application_scores_removed after delete on application_scores
  for each row when (pg_trigger_depth() = 0) execute function copy_score();

create function copy_scores_of_person() returns trigger language plpgsql as $$
begin
  update applications a set usable_score = case when new.suppressed_at is not null then -1 else
    coalesce((select s.match_pct from application_scores s
      where s.workspace_id = new.workspace_id and s.application_id = a.id), -1) end
  where a.workspace_id = new.workspace_id and a.applicant_id = new.id;
  return null;
end
$$;
create trigger applicants_scores after update of suppressed_at on applicants
  for each row when ((old.suppressed_at is null) <> (new.suppressed_at is null))
  execute function copy_scores_of_person();

create function fill_usable_scores(batch integer) returns integer language plpgsql as $$
declare
  old record;
  score integer;
  changed integer := 0;
begin
  for old in select a.workspace_id, a.id, a.applicant_id from applications a where a.usable_score is null limit batch loop
    perform from applications a where a.workspace_id = old.workspace_id and a.id = old.id for update;
    select s.match_pct into score
    from application_scores s where s.workspace_id = old.workspace_id and s.application_id = old.id;
    if score is not null then
      perform from applicants p
      where p.workspace_id = old.workspace_id and p.id = old.applicant_id and p.suppressed_at is not null;
      if found then
        score := null;
      end if;
    end if;
    update applications a set usable_score = coalesce(score, -1) where a.workspace_id = old.workspace_id and a.id = old.id;
    changed := changed + 1;
  end loop;
  return changed;
end
$$;
