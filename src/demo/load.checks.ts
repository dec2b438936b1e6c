// What a loaded store must hold, apart from the test that looks for it.

/** In Acme's rows of a table, the values of a column: exactly these, separated by spaces. */
export const COVERAGE: readonly (readonly [table: string, column: string, values: string])[] = [
  ['users', 'role', 'admin member owner viewer'],
  ['jobs', 'status', 'closed draft published'],
  ['jobs', 'employment_type', 'contract full_time intern null part_time temp'],
  ['jobs', 'location_type', 'hybrid null onsite remote'],
  ['jobs', 'experience_level', 'intern junior lead mid null principal senior'],
  ['jobs', 'salary_interval', 'annual hourly monthly null'],
  ['jobs', 'salary_commission', 'false null true'],
  ['jobs', 'source_system', 'greenlake_ats peoplehub tahoe_native'],
  ['jobs', 'accept_applications', 'false true'],
  ['jobs', 'form_is_template', 'false true'],
  ['pipeline_stages', 'type', 'applied assessment custom hired interview offer rejected screen'],
  [
    'form_fields',
    'type',
    'boolean consent date eeo email file multiselect number phone section select text textarea url',
  ],
  ['prescreen_questions', 'kind', 'adaptive common'],
  ['prescreen_questions', 'answer_type', 'boolean choice multi_choice number text'],
  ['prescreen_questions', 'source', 'ai recruiter template'],
  ['applications', 'status', 'advanced hired in_review new rejected withdrawn'],
  [
    'applications',
    'source',
    'import:greenlake_ats partner_api:greenlake_ats partner_api:jobcircle partner_api:peoplehub public_board',
  ],
  ['applications', 'resume_access_state', 'locked null open unlocked view_only'],
  ['applications', 'parse_status', 'failed null parsed parsing pending'],
  ['applications', 'voice_screening_opted_out', 'false true'],
  ['applications', 'applicant_id is null', 'false true'],
  ['screenings', 'call_status', 'completed failed in_progress no_answer scheduled'],
  ['screenings', 'completion_state', 'complete none partial'],
  ['screenings', 'consent_state', 'declined granted pending'],
  ['screenings', 'ambiguous_caller', 'false true'],
  ['scorecards', 'recommendation', 'no no_decision strong_no strong_yes yes'],
  ['applicants', 'origin', 'applicant ats_import'],
  ['applicants', 'unsubscribed_at is null', 'false true'],
  ['applicants', 'suppressed_at is null', 'false true'],
  ['applicants', "external_refs = '[]'", 'false true'],
  ['unsubscribes', 'source', 'link one_click opt_out product'],
  ['sourced_profiles', 'origin', 'github import xray'],
  ['sourced_profiles', 'match_tier', 'fair good null strong weak'],
  ['sourced_profiles', 'has_contact_info', 'false true'],
  ['sourced_profiles', 'full_name is null', 'false true'],
  ['sourced_profiles', 'unsubscribed_at is null', 'false true'],
  ['contact_values', 'kind', 'mobile other personal submitted work'],
  ['contact_values', 'status', 'invalid unverified verified'],
  ['attachments', 'type', 'business_card profile_photo resume'],
  ['lists', 'project_id is null', 'false true'],
  ['lists', 'candidate_count = 0', 'false true'],
  ['messages', 'status', 'failed sent'],
  ['resumes', "split_part(filename, '.', 2)", 'docx pdf rtf txt'],
]

/** Statements that find the records which break a rule: every one must find none. */
export const AGREEMENTS: Readonly<Record<string, string>> = {
  'the history ends at the current stage': `
    select a.id from applications a where a.stage_id is distinct from (
      select to_stage_id from stage_transitions t
      where t.workspace_id = a.workspace_id and t.application_id = a.id order by t.id desc limit 1)`,
  'the history begins at the first stage when the candidate applied': `
    select a.id from applications a
    join lateral (select * from stage_transitions t where t.application_id = a.id order by t.id limit 1) t on true
    join pipeline_stages s on s.workspace_id = a.workspace_id and s.id = t.to_stage_id
    where t.from_stage_id is not null or t.at <> a.applied_at or s.type <> 'applied'`,
  'each step begins where the last one ended, and later': `
    select * from (select from_stage_id, at, lag(to_stage_id) over w as before, lag(at) over w as earlier
      from stage_transitions window w as (partition by application_id order by id)) t
    where before is not null and (from_stage_id <> before or at <= earlier) or at > app_now()`,
  'stages belong to the job': `
    select t.id from stage_transitions t join applications a on a.id = t.application_id
    join pipeline_stages s on s.id = t.to_stage_id where s.job_id <> a.job_id`,
  'hired ones stand in the final stage since then': `
    select a.id from applications a join pipeline_stages s on s.id = a.stage_id
    where (a.status = 'hired') <> (s.type = 'hired') or (a.status = 'hired') <> (a.hired_at is not null)
      or a.hired_at > a.updated_at`,
  'only rejected ones have a reason': `
    select id from applications where (status = 'rejected') <> (rejection_reason is not null)`,
  'nothing is newer than its last change': `
    select id from applications where updated_at < applied_at or updated_at > app_now()`,
  'nobody applied before the job was public or after it closed': `
    select a.id from applications a join jobs j on j.id = a.job_id
    where a.applied_at < j.published_at or (j.status = 'closed' and a.applied_at > j.updated_at)`,
  'resume access follows from the time of the application': `
    select id from applications where has_resume and (resume_access_state, resume_access_changes_at) is distinct from
      (case when resume_unlocked_at is not null then 'unlocked' when app_now() < applied_at + interval '90 days'
        then 'open' when app_now() < applied_at + interval '120 days' then 'view_only' else 'locked' end,
      case when resume_unlocked_at is not null then null when app_now() < applied_at + interval '90 days'
        then applied_at + interval '90 days' when app_now() < applied_at + interval '120 days'
        then applied_at + interval '120 days' end)
    union all
    select id from applications where not has_resume and (resume_access_state is not null or parse_status is not null)`,
  'applications and their resumes agree': `
    select a.id from applications a left join resumes r on r.workspace_id = a.workspace_id and r.application_id = a.id
    where a.has_resume <> (r.id is not null) or a.parse_status is distinct from r.parse_status
      or r.id is not null and a.applicant_id is distinct from r.applicant_id
      or (r.parse_status = 'parsed') <> (r.parsed is not null and r.raw_text is not null and r.parsed_at is not null)`,
  'the text of a resume says what was parsed from it': `
    select id from resumes, lateral jsonb_array_elements_text(parsed->'skills') skill
    where position(skill in replace(raw_text, E'\\n', ' ')) = 0
      or position(parsed->>'current_company' in raw_text) = 0 or position(parsed->>'city' in raw_text) = 0`,
  'scores belong to parsed resumes': `
    select s.application_id from application_scores s join applications a on a.id = s.application_id
    where a.parse_status <> 'parsed'`,
  'nobody who opted out was called': `
    select a.id from applications a join screenings s on s.application_id = a.id where a.voice_screening_opted_out`,
  'applicants know how often they applied': `
    select p.id from applicants p where application_count <>
      (select count(*) from applications a where a.workspace_id = p.workspace_id and a.applicant_id = p.id)`,
  'lists know how many they hold': `
    select l.id from lists l where candidate_count <>
      (select count(*) from list_memberships m where m.workspace_id = l.workspace_id and m.list_id = l.id)`,
  'profiles know whether contact details are there': `
    select p.id from sourced_profiles p where has_contact_info <> exists (select 1 from contact_values c
      where c.workspace_id = p.workspace_id and c.subject_object = 'sourced_profile' and c.subject_id = p.id)`,
  'answers are to questions of the form, deleted ones included': `
    select aa.application_id, q from application_answers aa join applications a on a.id = aa.application_id
    join jobs j on j.id = a.job_id, lateral jsonb_object_keys(answers) q
    where not exists (select 1 from form_fields f where f.workspace_id = a.workspace_id and f.id = q
      and f.job_id is not distinct from case when j.form_is_template then null else j.id end
      and (f.deleted_at is null or f.deleted_at > a.applied_at))`,
  'at most five adaptive questions': `
    select job_id from prescreen_questions where kind = 'adaptive' group by job_id having count(*) > 5`,
  'unsubscribed people are on the list': `
    select a.id from applicants a
    left join unsubscribes u on u.workspace_id = a.workspace_id and u.email_key = a.email_key
    where (a.unsubscribed_at is not null) <> (u.source is not null and u.source <> 'opt_out')`,
  'every address of an applicant is an identity, under the LinkedIn one where there is one': `
    select a.id from applicants a
    left join identities e on e.workspace_id = a.workspace_id and e.kind = 'email' and e.value = a.email_key
    left join identities l on l.workspace_id = a.workspace_id and l.kind = 'linkedin_url' and l.value = a.linkedin_key
    where a.email_key is not null and e.person_id is null
      or e.canonical_id is distinct from coalesce(l.person_id, e.person_id)
      or a.linkedin_key is not null and l.person_id is null`,
  'every LinkedIn key of a profile is an identity': `
    select p.id from sourced_profiles p left join identities i
      on i.workspace_id = p.workspace_id and i.kind = 'linkedin_url' and i.value = p.linkedin_key
    where p.linkedin_key is not null and (i.person_id is null or i.canonical_id <> i.person_id)`,
  'keys of addresses are normalized': `
    select value from identities where value <> lower(value)
    union all select linkedin_url from pool_profiles
      where 'linkedin.com/in/' || lower(split_part(split_part(linkedin_url, '/in/', 2), '/', 1)) <> linkedin_key`,
  'only reserved addresses and numbers': `
    select value from contact_values where value !~* '^[a-z0-9.-]+@[a-z-]+[.]example$|^[+]1 [0-9]{3} 555 01[0-9]{2}$'
    union all select email from users where email !~ '[.]example$'`,
  'the budget of each day is the sum of its audit rows': `
    select 1 from personal_data_usage u full join (select workspace_id, key_id, at::date as day, sum(units) as units
      from personal_data_reads group by 1, 2, 3) r using (workspace_id, key_id, day)
    where u.used is distinct from r.units`,
  'audit rows name records that exist': `
    select r.id from personal_data_reads r where not exists (
      select 1 from applicants where id = r.subject_id union all select 1 from sourced_profiles where id = r.subject_id
      union all select 1 from resumes where id = r.subject_id)`,
  'no message went to somebody who must not be written to': `
    select m.id from messages m join applicants a on a.id = m.applicant_id
    left join unsubscribes u on u.workspace_id = a.workspace_id and u.email_key = a.email_key
    where a.suppressed_at is not null or u.email_key is not null`,
}
