-- What the hiring pages find candidates by: one row for each application, so that people who are limited to jobs find by the
-- data of their own applications alone. An index and nothing else: no page reads it as data, triggers write it in the
-- transaction of whatever changes a name, tags, a résumé or the access to it, or the title of a job, and it can be rebuilt.

-- Letters without case and accents: "Zoë" is "zoe", "Müller" is "muller".
create function search_fold(words text) returns text language sql immutable parallel safe as $$
  -- most texts are ASCII, for which this is all
  select case when octet_length(words) = length(words) then lower(words)
    else lower(public.unaccent('public.unaccent',
      regexp_replace(normalize(lower(words), NFC), '[\u0300-\u036f]', '', 'g'))) end
$$;

-- The German form of a name, which people type where a keyboard has no umlauts: "Müller" is "mueller".
create function search_fold_german(words text) returns text language sql immutable parallel safe as $$
  select case when octet_length(words) = length(words) then lower(words)
    else search_fold(replace(replace(replace(replace(replace(replace(normalize(words, NFC),
      'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'Ä', 'Ae'), 'Ö', 'Oe'), 'Ü', 'Ue')) end
$$;

-- The words of a folded text, of its first 20,000 letters. C++ and C# keep their signs, Node.js is one word, .NET is dotnet.
-- Words end after 40 letters. One expression, so that it becomes part of the statements that use it.
create function search_words(folded text) returns text[] language sql immutable parallel safe as $$
  select case when folded = '' then '{}'::text[] else array_remove(regexp_split_to_array(
    case when strpos(folded, '.') > 0 or length(folded) > 40
      then regexp_replace(regexp_replace(regexp_replace(left(folded, 20000),
        '([a-z])\.js\M', '\1js', 'g'), '(^|[^a-z0-9])\.net\M', '\1dotnet', 'g'), '(\S{40})\S+', '\1', 'g')
      else folded end,
    '[\s\u00a0\u2000-\u206f\u3000!-"$-*,-/:-@\[-`{-~]+'), '') end
$$;

-- Words with the weight that says where they are from: A name, B tag, C résumé, D title of the job. Each weight has a
-- position of its own, so that a word can have several.
create function search_terms(words text[], weight text) returns tsvector language sql immutable parallel safe as $$
  select case when cardinality(words) = 0 then ''::tsvector else
    ('''' || array_to_string(words, ''':' || strpos('ABCD', weight) || weight || ' ''')
      || ''':' || strpos('ABCD', weight) || weight)::tsvector end
$$;

-- A query that wants each of these words. Words of `shortest` letters or more are beginnings of words. `weights`: where the
-- words may be from; empty: anywhere.
create function search_all(words text[], shortest integer, weights text) returns text
language sql immutable parallel safe as $$
  select string_agg('''' || word || '''' || case
    when length(word) >= shortest then ':*' || weights
    when weights <> '' then ':' || weights
    else '' end, ' & ')
  from unnest(words) word
$$;

-- A query that wants each word of a text, as it is or in its German form: "Müller" finds "muller" and "mueller". Without a
-- word it finds nothing.
create function search_query(typed text, shortest integer, weights text) returns tsquery
language sql immutable parallel safe as $$
  select coalesce(string_agg('(' || concat_ws(' | ', '(' || plain || ')', '(' || nullif(german, plain) || ')') || ')',
    ' & '), '')::tsquery
  from (
    select search_all(search_words(search_fold(part)), shortest, weights) as plain,
      search_all(search_words(search_fold_german(part)), shortest, weights) as german
    from regexp_split_to_table(typed, '\s+') with ordinality as p (part, place) where place <= 8
  ) parts where plain is not null
$$;

-- The last nine digits of a phone number: +49 151 … and 0151 … are the same number. Shorter ones have none.
create function phone_key(phone text) returns text language sql immutable parallel safe as $$
  select case when length(digits) >= 9 then right(digits, 9) end
  from regexp_replace(phone, '\D', '', 'g') digits
$$;

create table application_search (
  workspace_id handle not null,
  application_id handle not null,
  job_id handle not null,
  applicant_id handle,
  -- the folded name; the German form in a second line, where it is another one
  name_key text collate "C" not null default '',
  -- the words of the name in both forms
  names tsvector not null default '',
  -- all words, with their weights; of a person whose processing was stopped the name alone
  terms tsvector not null default '',
  primary key (workspace_id, application_id),
  foreign key (workspace_id, application_id) references applications (workspace_id, id) on delete cascade
);
-- No pending list, which every search would have to read.
create index application_search_words on application_search
  using gin (workspace_id, names, terms, name_key gin_trgm_ops) with (fastupdate = off);

-- Workspaces whose rows a worker writes again, after the application `after`. An empty store has none.
create table search_rebuilds (
  workspace_id handle not null references workspaces on delete cascade,
  after handle not null default '',
  requested_at timestamptz(3) not null default app_now(),
  primary key (workspace_id)
);
-- allowed: a row for each workspace; the worker soon removes those of workspaces without applications
insert into search_rebuilds (workspace_id) select id from workspaces;

-- What the row of an application is; nothing where there is no such application. Each statement reads one table by its key,
-- as a node of a cluster wants it.
create function application_search_row(workspace handle, application handle, out job_id handle, out applicant_id handle,
  out name_key text, out names tsvector, out terms tsvector) language plpgsql as $$
declare
  access text;
  person record;
  -- a text has the collation of the handles otherwise, by which "Ω" has no lower case
  folded text collate "default";
  german text collate "default";
  tags text collate "default";
  read jsonb;
  title text collate "default";
begin
  select a.job_id, a.applicant_id, a.resume_access_state into job_id, applicant_id, access
  from applications a where a.workspace_id = workspace and a.id = application;
  if not found then
    return;
  end if;
  select p.full_name, p.suppressed_at is not null as stopped into person
  from applicants p where p.workspace_id = workspace and p.id = applicant_id;
  folded := coalesce(search_fold(person.full_name), '');
  german := coalesce(search_fold_german(person.full_name), '');
  name_key := concat_ws(E'\n', folded, nullif(german, folded));
  names := search_terms(search_words(folded || ' ' || german), 'A');
  terms := names;
  if person.stopped then
    return;
  end if;
  select string_agg(t.name, ' ') into tags
  from application_tags t where t.workspace_id = workspace and t.application_id = application;
  if access is distinct from 'locked' then
    select r.parsed into read from resumes r where r.workspace_id = workspace and r.application_id = application;
  end if;
  select j.title into title from jobs j where j.workspace_id = workspace and j.id = job_id;
  terms := names
    || search_terms(search_words(search_fold(coalesce(tags, ''))), 'B')
    || search_terms(search_words(search_fold(concat_ws(' ', read ->> 'current_title', read ->> 'current_company',
      (select string_agg(skill, ' ') from jsonb_array_elements_text(
        case when jsonb_typeof(read -> 'skills') = 'array' then read -> 'skills' else '[]' end) skill)))), 'C')
    || search_terms(search_words(search_fold(title)), 'D');
end
$$;

-- Writes the row of an application again. It is locked before it is computed, so that of two changes at the same time the
-- second one sees the first; an empty row is locked where there was none.
create function application_search_write(workspace handle, application handle) returns void language plpgsql as $$
declare
  job handle;
  person handle;
  r record;
begin
  select a.job_id, a.applicant_id into job, person
  from applications a where a.workspace_id = workspace and a.id = application;
  if not found then
    return;
  end if;
  insert into application_search (workspace_id, application_id, job_id, applicant_id)
  values (workspace, application, job, person) on conflict (workspace_id, application_id) do nothing;
  perform 1 from application_search s where s.workspace_id = workspace and s.application_id = application for update;
  r := application_search_row(workspace, application);
  update application_search s
  set job_id = r.job_id, applicant_id = r.applicant_id, name_key = r.name_key, names = r.names, terms = r.terms
  where s.workspace_id = workspace and s.application_id = application
    and (s.job_id, s.applicant_id, s.name_key, s.names, s.terms)
      is distinct from (r.job_id, r.applicant_id, r.name_key, r.names, r.terms);
end
$$;

-- The foreign key of a new application has waited for who edits its job, and an edit waits for new applications of the job:
-- so one of the two sees the other.
create function application_search_follow() returns trigger language plpgsql as $$
declare
  r record;
begin
  if tg_op = 'INSERT' then
    r := application_search_row(new.workspace_id, new.id);
    insert into application_search (workspace_id, application_id, job_id, applicant_id, name_key, names, terms)
    values (new.workspace_id, new.id, r.job_id, r.applicant_id, r.name_key, r.names, r.terms)
    on conflict (workspace_id, application_id) do nothing;
    if found then
      return null;
    end if;
    -- by a résumé or tag of the same statement
  end if;
  perform application_search_write(new.workspace_id, new.id);
  return null;
end
$$;
create trigger application_search_created after insert on applications
  for each row execute function application_search_follow();
create trigger application_search_changed after update on applications for each row
  when ((old.job_id, old.applicant_id, old.resume_access_state)
    is distinct from (new.job_id, new.applicant_id, new.resume_access_state))
  execute function application_search_follow();

create function application_search_follow_person() returns trigger language plpgsql as $$
declare
  application handle;
begin
  -- in one order, so that two changes of a person wait for each other in one direction only
  for application in
    select a.id from applications a where a.workspace_id = new.workspace_id and a.applicant_id = new.id order by a.id
  loop
    perform application_search_write(new.workspace_id, application);
  end loop;
  return null;
end
$$;
create trigger application_search_person after update on applicants for each row
  when ((old.full_name, old.suppressed_at is null) is distinct from (new.full_name, new.suppressed_at is null))
  execute function application_search_follow_person();

-- Of a résumé or a tag.
create function application_search_follow_part() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform application_search_write(old.workspace_id, old.application_id);
  else
    perform application_search_write(new.workspace_id, new.application_id);
  end if;
  return null;
end
$$;
create trigger application_search_resume after update on resumes for each row
  when (old.parsed is distinct from new.parsed) execute function application_search_follow_part();
create trigger application_search_new_resume after insert on resumes for each row
  when (new.parsed is not null) execute function application_search_follow_part();
create trigger application_search_no_resume after delete on resumes for each row
  when (old.parsed is not null) execute function application_search_follow_part();
create trigger application_search_tags after insert or delete or update on application_tags
  for each row execute function application_search_follow_part();

-- One statement for all applications of the job: of their words those of the title alone are replaced. The rows are locked
-- before it begins, so that it sees what others changed who had them before.
create function application_search_follow_job() returns trigger language plpgsql as $$
begin
  perform 1 from application_search s
  where s.workspace_id = new.workspace_id and s.application_id in (
    select a.id from applications a where a.workspace_id = new.workspace_id and a.job_id = new.id)
  order by s.application_id for update;
  update application_search s
  set terms = ts_filter(s.terms, '{a,b,c}') || search_terms(search_words(search_fold(new.title)), 'D')
  from applications a left join applicants p on p.workspace_id = new.workspace_id and p.id = a.applicant_id
  where s.workspace_id = new.workspace_id and s.application_id = a.id
    and a.workspace_id = new.workspace_id and a.job_id = new.id and p.suppressed_at is null;
  return null;
end
$$;
create trigger application_search_job after update on jobs for each row
  when (old.title is distinct from new.title) execute function application_search_follow_job();

-- The next applications of a workspace that is rebuilt; returns how many there were.
create function application_search_rebuild(workspace handle, from_after text, batch integer) returns integer
language plpgsql as $$
declare
  application handle;
  last handle;
  rows integer := 0;
begin
  for application in
    select a.id from applications a where a.workspace_id = workspace and a.id > from_after order by a.id limit batch
  loop
    perform application_search_write(workspace, application);
    last := application;
    rows := rows + 1;
  end loop;
  if rows < batch then
    delete from search_rebuilds r where r.workspace_id = workspace;
  else
    update search_rebuilds r set after = last where r.workspace_id = workspace and r.after = from_after;
  end if;
  return rows;
end
$$;
