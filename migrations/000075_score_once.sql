-- As before, but a row that has the score already is not written again: the scorer writes it with the time of the change. A
-- second version of a row in one transaction would check its foreign keys, and wait for whoever edits the job.
create or replace function copy_score() returns trigger language plpgsql as $$
declare
  person handle;
begin
  if tg_op = 'DELETE' then
    update applications a set usable_score = -1
    where a.workspace_id = old.workspace_id and a.id = old.application_id and a.usable_score is distinct from -1;
    return null;
  end if;
  select a.applicant_id into person
  from applications a where a.workspace_id = new.workspace_id and a.id = new.application_id for update;
  perform from applicants p where p.workspace_id = new.workspace_id and p.id = person and p.suppressed_at is not null;
  if not found then
    update applications a set usable_score = new.match_pct
    where a.workspace_id = new.workspace_id and a.id = new.application_id and a.usable_score is distinct from new.match_pct;
  end if;
  return null;
end
$$;
