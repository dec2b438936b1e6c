-- Callers type the code: no two jobs of a workspace share one. Should two have met, the younger gets another.
do $$
declare
  twin record;
  code text;
begin
  for twin in
    select workspace_id, id from (
      select workspace_id, id, row_number() over (partition by workspace_id, dial_in_code order by created_at, id) as n
      from jobs where dial_in_code is not null
    ) counted where n > 1
  loop
    loop
      code := lpad(floor(random() * 1000000)::integer::text, 6, '0');
      exit when not exists (select 1 from jobs where workspace_id = twin.workspace_id and dial_in_code = code);
    end loop;
    update jobs set dial_in_code = code where workspace_id = twin.workspace_id and id = twin.id;
  end loop;
end
$$;
drop index jobs_dial_in_code;
create unique index jobs_dial_in_code on jobs (workspace_id, dial_in_code) where dial_in_code is not null;
