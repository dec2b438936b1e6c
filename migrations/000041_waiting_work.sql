-- The next endpoints with a delivery that is ready, after a position in their order. It moves through the index from one
-- endpoint to the next, a few rows at a time: its cost depends on the endpoints, not on their deliveries. A function, because
-- a cluster refuses a recursive statement that reads several shards; there, each step reads all of them.
create function webhook_endpoints_waiting(after_workspace text, after_endpoint uuid, most integer)
returns table (workspace_id text, endpoint_id uuid, key_id text) language plpgsql stable as $$
declare
  rows_per_step constant integer := 16;
  last_workspace handle := after_workspace;
  last_endpoint uuid := after_endpoint;
  step_rows integer;
  endpoints integer := 0;
  one record;
begin
  loop
    step_rows := 0;
    for one in
      select d.workspace_id as workspace, d.endpoint_id as endpoint, d.key_id as key from webhook_deliveries d
      where d.status in ('pending', 'retrying') and d.ready and (d.workspace_id, d.endpoint_id) > (last_workspace, last_endpoint)
      order by d.workspace_id, d.endpoint_id limit rows_per_step
    loop
      step_rows := step_rows + 1;
      continue when one.workspace = last_workspace and one.endpoint = last_endpoint;
      last_workspace := one.workspace;
      last_endpoint := one.endpoint;
      workspace_id := one.workspace;
      endpoint_id := one.endpoint;
      key_id := one.key;
      return next;
      endpoints := endpoints + 1;
      exit when endpoints >= most;
    end loop;
    exit when step_rows < rows_per_step or endpoints >= most;
  end loop;
end
$$;

-- The workspaces with a résumé that waits to be read, in the same way.
create function resume_workspaces_waiting() returns setof text language plpgsql stable as $$
declare
  rows_per_step constant integer := 16;
  last_workspace handle := '';
  step_rows integer;
  one record;
begin
  loop
    step_rows := 0;
    for one in
      select r.workspace_id as workspace from resumes r
      where r.parse_status in ('pending', 'parsing') and r.workspace_id > last_workspace
      order by r.workspace_id limit rows_per_step
    loop
      step_rows := step_rows + 1;
      continue when one.workspace = last_workspace;
      last_workspace := one.workspace;
      return next one.workspace;
    end loop;
    exit when step_rows < rows_per_step;
  end loop;
end
$$;
