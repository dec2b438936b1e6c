import { sql } from '../kernel/db/sql.ts'
import type { FindDemo, Services } from '../kernel/services/services.ts'

/**
 * Records of the running store that the samples of the reference can be called with: those of the demo workspace, whose
 * handles differ from store to store. By the name of a path parameter; `METHOD /path name` for one endpoint alone.
 */
export type Handles = Readonly<Record<string, string | null>>

/** Undefined where there is no demo: the documentation shows handles of no other workspace. */
export async function demoHandles(
  services: Pick<Services, 'db' | 'keyring'>,
  findDemo: FindDemo,
): Promise<Handles | undefined> {
  const { db } = services
  const workspace = await findDemo(services)
  if (workspace === undefined) return undefined
  const shared = await db.only(sharedHandles(workspace))
  const row = await db.one(recordHandles(workspace, shared.test_keys))
  const orders = await db.one(orderHandles(workspace))
  return row && { ...shared.handles, ...row.handles, ...orders?.handles }
}

/** Records in tables that stay on the coordinator of a cluster. */
const sharedHandles = (workspace: string) =>
  sql<{ handles: Handles; test_keys: string[] }>`
    with suppression as (
      select s.id, s.applied_at from workspace_suppressions w join suppressions s on s.id = w.suppression_id
      where w.workspace_id = ${workspace} order by s.applied_at, s.id limit 1
    )
    select json_build_object(
      'workspace_handle', ${workspace}::text,
      'user_handle', (select u.id from users u where u.workspace_id = ${workspace} order by u.created_at, u.id limit 1),
      'GET /pool/profiles/{profile_handle} profile_handle', (select id from pool_profiles
        where suppressed_at is null order by last_seen_at desc, id limit 1),
      'suppression_id', (select id from suppression),
      'POST /suppressions/{suppression_id}/acknowledge deleted_at', (
        select to_char(applied_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from suppression)
    ) as handles,
    array(select k.id::text from api_keys k where k.workspace_id = ${workspace} and k.environment = 'test') as test_keys`

/** The log of the workspace is read for the one row that every workspace has. */
const recordHandles = (workspace: string, testKeys: readonly string[]) =>
  sql<{ handles: Handles }>`
    with job as (
      select j.id, j.slug from jobs j
      where j.workspace_id = ${workspace} and j.status = 'published' and j.accept_applications and j.form_is_template
      order by j.updated_at desc, j.id limit 1
    ), other_jobs as (
      select j.id, row_number() over (order by j.updated_at, j.id) as place from jobs j
      where j.workspace_id = ${workspace} and j.status = 'published' and j.id <> (select id from job)
    ), application as (
      -- open, scored, with a résumé that can be downloaded
      select a.id, a.job_id, a.stage_id, a.applicant_id from applications a
      join application_scores s on s.workspace_id = a.workspace_id and s.application_id = a.id
      join applicants p on p.workspace_id = a.workspace_id and p.id = a.applicant_id and p.suppressed_at is null
      where a.workspace_id = ${workspace} and a.status in ('new', 'in_review') and a.resume_access_state = 'open'
      order by a.applied_at desc, a.id limit 1
    ), shown as (
      -- people whose processing was not stopped: their records can be read in full and changed
      select a.id, a.status, a.applied_at, a.updated_at from applications a
      join applicants p on p.workspace_id = a.workspace_id and p.id = a.applicant_id and p.suppressed_at is null
      where a.workspace_id = ${workspace}
    ), profile as (
      select f.profile_id as id, f.type from attachments f
      join sourced_profiles p on p.workspace_id = f.workspace_id and p.id = f.profile_id and p.suppressed_at is null
      where f.workspace_id = ${workspace} order by p.has_contact_info desc, f.uploaded_at desc, f.profile_id limit 1
    ), refused_call as (
      -- only the demo key for tests makes calls, and a key is shown its own calls alone
      select l.id from request_log l
      where l.workspace_id = ${workspace} and l.key_id = any(${testKeys}::text[]) and l.status = 400
      order by l.created_at desc, l.id limit 1
    ), endpoint as (
      -- a key is shown its own endpoints alone
      select e.id from webhook_endpoints e
      where e.workspace_id = ${workspace} and e.key_id = any(${testKeys}::text[]) and e.enabled
      order by e.created_at, e.id limit 1
    ), member as (
      select m.id, m.list_id, m.sourced_profile_id from list_memberships m
      where m.workspace_id = ${workspace} order by m.added_at, m.id limit 1
    )
    select json_build_object(
      'job_handle', (select id from job),
      'slug', (select slug from job),
      'POST /jobs/{job_handle}/close job_handle', (select id from other_jobs where place = 1),
      'POST /jobs/{job_handle}/unpublish job_handle', (select id from other_jobs where place = 2),
      'POST /jobs/{job_handle}/reopen job_handle', (select id from jobs
        where workspace_id = ${workspace} and status = 'closed' and close_at is null order by updated_at desc limit 1),
      'application_handle', (select id from application),
      'GET /applications/{application_handle}/answers application_handle', (select a.id from shown a
        join application_answers x on x.workspace_id = ${workspace} and x.application_id = a.id
        where x.answers <> '{}' order by a.applied_at desc, a.id limit 1),
      'GET /applications/{application_handle}/screening application_handle', (select a.id from shown a
        join screenings x on x.workspace_id = ${workspace} and x.application_id = a.id and x.call_status = 'completed'
        order by a.applied_at desc, a.id limit 1),
      'GET /applications/{application_handle}/notes application_handle', (select a.id from shown a
        join notes x on x.workspace_id = ${workspace} and x.application_id = a.id
        order by a.applied_at desc, a.id limit 1),
      'GET /applications/{application_handle}/scorecards application_handle', (select a.id from shown a
        join scorecards x on x.workspace_id = ${workspace} and x.application_id = a.id
        order by a.applied_at desc, a.id limit 1),
      'POST /applications/{application_handle}/reopen application_handle', (select id from shown
        where status = 'rejected' order by updated_at desc, id limit 1),
      'POST /applications/{application_handle}/hire application_handle', (select id from shown
        where status = 'advanced' order by updated_at desc, id limit 1),
      'POST /applications/{application_handle}/move stage_id', (select s.id from pipeline_stages s, application a
        where s.workspace_id = ${workspace} and s.job_id = a.job_id and not s.is_terminal and s.id <> a.stage_id
        order by s.position limit 1),
      'POST /applications job_id', (select id from job),
      'applicant_handle', (select applicant_id from application),
      'profile_handle', (select id from profile),
      'kind', (select type from profile),
      'GET /sourced-profiles/{profile_handle}/list-memberships profile_handle', (select sourced_profile_id from member),
      'person_handle', (select i.canonical_id from identities i
        where i.workspace_id = ${workspace} and i.kind = 'linkedin_url' order by i.created_at desc, i.person_id limit 1),
      'project_handle', (select id from projects where workspace_id = ${workspace} order by created_at, id limit 1),
      'list_handle', (select list_id from member),
      'member_handle', (select id from member),
      'POST /lists/{list_handle}/members sourced_profile_id', (select id from profile),
      'endpoint_id', (select id from endpoint),
      'delivery_id', (select d.id from webhook_deliveries d
        where d.workspace_id = ${workspace} and d.endpoint_id = (select id from endpoint) and d.status = 'delivered'
        order by d.created_at desc, d.id limit 1),
      'request_id', (select id from refused_call),
      'event_handle', (select id from events where workspace_id = ${workspace} order by sequence desc limit 1)
    ) as handles
    from event_logs o where o.workspace_id = ${workspace}`

/** The orders are those of one package whose vendor may read the résumé: every call of a vendor can be shown with them. */
const orderHandles = (workspace: string) =>
  sql<{ handles: Handles }>`
    with package as (
      select k.id, k.vendor_id from packages k
      where k.workspace_id = ${workspace} and k.status = 'active' and k.shares @> '["resume"]'
      order by k.created_at, k.id limit 1
    ), shown as (
      -- people whose processing was not stopped
      select a.id, a.status, a.applied_at, p.unsubscribed_at from applications a
      join applicants p on p.workspace_id = a.workspace_id and p.id = a.applicant_id and p.suppressed_at is null
      where a.workspace_id = ${workspace}
    ), ordered as (
      -- each call that changes an order has one of its own: the first, second, third of a status
      select o.id, o.status, o.application_id,
        row_number() over (partition by o.status order by o.requested_at desc, o.id) as place
      from orders o join shown a on a.id = o.application_id
      where o.workspace_id = ${workspace} and o.package_id = (select id from package)
    ), waiting as (
      select id, place from ordered where status = 'requested'
    ), invited as (
      select id from ordered where status = 'invited' and place = 1
    ), report as (
      select r.id, r.order_id, o.application_id from order_reports r join ordered o on o.id = r.order_id
      where r.workspace_id = ${workspace} order by r.created_at desc, r.id limit 1
    ), started as (
      -- the vendor has it as another package
      select o.id, o.due_at, row_number() over (order by o.requested_at desc, o.id) as place
      from orders o join shown a on a.id = o.application_id
      where o.workspace_id = ${workspace} and o.vendor_id = (select vendor_id from package) and o.status = 'in_progress'
    )
    select json_build_object(
      'package_handle', (select id from package),
      'POST /packages/{package_handle}/withdraw package_handle', (select k.id from packages k, package
        where k.workspace_id = ${workspace} and k.vendor_id = package.vendor_id and k.status = 'active'
          and k.id <> package.id order by k.created_at, k.id limit 1),
      'order_handle', (select order_id from report),
      'report_id', (select id from report),
      'GET /applications/{application_handle}/orders application_handle', (select application_id from report),
      'POST /orders application_id', (select a.id from shown a
        where a.status = 'in_review' and a.unsubscribed_at is null
          and not exists (select from orders o where o.workspace_id = ${workspace} and o.application_id = a.id)
        order by a.applied_at, a.id limit 1),
      'POST /orders package_id', (select id from package),
      'POST /orders/{order_handle}/extend order_handle', (select id from started where place = 1),
      'POST /orders/{order_handle}/extend due_at', (select to_char(date_trunc('day', due_at at time zone 'UTC')
        + interval '7 days', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from started where place = 1),
      'POST /orders/{order_handle}/repeat order_handle', (select o.id from ordered o
        where o.status = 'completed' and o.id <> (select order_id from report) and not exists (
          select from ordered other where other.application_id = o.application_id and other.id <> o.id)
        order by o.place limit 1),
      'GET /orders/{order_handle}/candidate order_handle', (select id from waiting where place = 1),
      'GET /orders/{order_handle}/resume/download order_handle', (select id from waiting where place = 1),
      'POST /orders/{order_handle}/accept order_handle', (select id from waiting where place = 1),
      'POST /orders/{order_handle}/decline order_handle', (select id from waiting where place = 2),
      'POST /orders/{order_handle}/cancel order_handle', (select id from waiting where place = 3),
      'POST /orders/{order_handle}/progress order_handle', (select id from invited),
      'POST /orders/{order_handle}/reports order_handle', (select id from invited),
      'POST /orders/{order_handle}/complete order_handle', (select id from invited),
      'POST /orders/{order_handle}/fail order_handle', (select id from started where place = 2)
    ) as handles
    from event_logs l where l.workspace_id = ${workspace}`
