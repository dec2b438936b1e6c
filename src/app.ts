import { randomBytes } from 'node:crypto'
import { writeCandidateMail } from './careers/candidate/mails.ts'
import { isCareersRequest, sendCareersFailure } from './careers/failure.ts'
import { careersRoutes } from './careers/routes.ts'
import { consoleRoutes } from './console/routes.ts'
import { deliverWebhooks } from './delivery/deliver-webhooks.ts'
import { deliveriesWaiting } from './delivery/lease-store.ts'
import { docsRoutes } from './docs/routes.ts'
import { describedCall, sampleEvent } from './docs/samples.ts'
import { downloadsReader } from './downloads/downloads.ts'
import { downloadRoutes } from './downloads/routes.ts'
import { hiringRoutes } from './hiring/routes.ts'
import { nowIfOpen } from './kernel/access/workspace.ts'
import { FolderBlobs } from './kernel/blobs/folder.ts'
import { storageHandler } from './kernel/blobs/storage-handler.ts'
import type { Sql } from './kernel/db/sql.ts'
import { ApiError } from './kernel/errors/api-error.ts'
import { eventsWaiting } from './kernel/feed/sequencer.ts'
import { collectShapes, type Examples } from './kernel/http/described.ts'
import { healthRoutes } from './kernel/http/health.ts'
import { errorReply, UNKNOWN_CALLER, writeReply } from './kernel/http/reply.ts'
import { noteRequest, requestIdOf } from './kernel/http/request-line.ts'
import type { Route } from './kernel/http/route.ts'
import type { RawRoute } from './kernel/http/route-table.ts'
import { createServer, type HttpServer } from './kernel/http/server.ts'
import type { Shape } from './kernel/http/shape.ts'
import type { Readiness, ReadinessPart } from './kernel/services/readiness.ts'
import { RETAINED_KEYS, type SealedColumn } from './kernel/services/sealed-columns.ts'
import type { FindDemo, Services } from './kernel/services/services.ts'
import type { Waiting } from './kernel/work/queue.ts'
import type { Worker } from './kernel/work/supervisor.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { assetRoutes } from './pages/assets.ts'
import { sendFailurePage, wantsPage } from './pages/failure-page.ts'
import { homeRoutes } from './pages/home-page.ts'
import { programFiles } from './pages/program-page.ts'
import { partnerRoutes } from './partner/routes.ts'
import { alertMails, alertSealedColumns, notificationsWaiting } from './resources/alerts/index.ts'
import { analyticsRoutes } from './resources/analytics/index.ts'
import { applicantRelation, applicantRoutes } from './resources/applicants/index.ts'
import {
  applicationReads,
  applicationRelation,
  applicationsRelation,
  applicationWrites,
} from './resources/applications/index.ts'
import { auditRoutes } from './resources/audit/index.ts'
import { CANDIDATE_MAILS, candidateMails } from './resources/candidates/index.ts'
import { companySealedColumns } from './resources/company-sign-in/index.ts'
import { contactInfoRoutes } from './resources/contact-info/index.ts'
import { deletionsWaiting } from './resources/deletions/index.ts'
import { erasuresWaiting, requestMails, requestMailsWaiting } from './resources/erasures/index.ts'
import { eventRoutes } from './resources/events/index.ts'
import { exportRoutes, exportsWaiting } from './resources/exports/index.ts'
import { TEAM_MAILS, teamMails } from './resources/hiring-team/index.ts'
import { installationRoutes } from './resources/installations/index.ts'
import { interviewRoutes, interviewSealedColumns } from './resources/interviews/index.ts'
import { jobRelation, jobRoutes, stageRelation } from './resources/jobs/index.ts'
import { listRoutes } from './resources/lists/index.ts'
import { messageRoutes, messageSealedColumns, messagesWaiting } from './resources/messages/index.ts'
import { metaRoutes } from './resources/meta/index.ts'
import { orderReads, ordersRelation, orderWrites, vendorRoutes } from './resources/orders/index.ts'
import { packageRoutes } from './resources/packages/index.ts'
import { peopleRoutes } from './resources/people/index.ts'
import { poolRoutes } from './resources/pool/index.ts'
import { requestRoutes } from './resources/requests/index.ts'
import { resumeRoutes, resumesWaiting } from './resources/resumes/index.ts'
import { retentionWaiting } from './resources/retention/index.ts'
import { secondFactorSealedColumns } from './resources/second-factors/index.ts'
import { profileRelation, sourcedProfileRoutes } from './resources/sourced-profiles/index.ts'
import { suppressionRoutes } from './resources/suppressions/index.ts'
import { type Activity, type ActivityNeeds, testWorkspaceRoutes } from './resources/test-workspaces/index.ts'
import { uploadRoutes } from './resources/uploads/index.ts'
import { userRoutes } from './resources/users/index.ts'
import { webhookRoutes, webhookSealedColumns } from './resources/webhooks/index.ts'
import { workspaceRoutes } from './resources/workspaces/index.ts'
import { engineFor } from './search/engine.ts'
import { signInSealedColumns } from './sign-in/oidc/signing-keys.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { addUpFunnelChanges } from './workers/add-up-funnel.ts'
import { advanceTestClocks } from './workers/advance-test-clocks.ts'
import { ageResumeAccessWorker } from './workers/age-resume-access.ts'
import { askForFeedback } from './workers/ask-for-feedback.ts'
import { attendOrders } from './workers/attend-orders.ts'
import { postAlerts, watchAlerts } from './workers/check-alerts.ts'
import { closeDueJobsWorker } from './workers/close-due-jobs.ts'
import { continueErasures } from './workers/continue-erasures.ts'
import { deleteWorkspaces } from './workers/delete-workspaces.ts'
import { emitTemplateFormsWorker } from './workers/emit-template-forms.ts'
import { expireFiles } from './workers/expire-files.ts'
import { indexPool } from './workers/index-pool.ts'
import { type ChooseSandbox, parseResumes } from './workers/parse-resumes.ts'
import { playTestVendor } from './workers/play-test-vendor.ts'
import { pruneRows } from './workers/prune-rows.ts'
import { rebuildSearch } from './workers/rebuild-search.ts'
import { runExports } from './workers/run-exports.ts'
import { runRetention } from './workers/run-retention.ts'
import { scoreAgain } from './workers/score-again.ts'
import { sendMails } from './workers/send-mails.ts'
import { sendMessages } from './workers/send-messages.ts'
import { sequenceEvents } from './workers/sequence-events.ts'

/** The operations of the demo, in a test workspace. Loaded when the first call needs them. */
async function sceneOf({ db, blobs, outbox, log }: ActivityNeeds, workspace: string, subject: string) {
  const demo = await import('../demo/index.ts')
  const random = demo.seeded(subject)
  return { demo, scene: new demo.Scene({ db, blobs, outbox, log, workspace, isDemo: false, random, subject }) }
}

export const activity: Activity = {
  async fill(services, workspace) {
    const { demo, scene } = await sceneOf(services, workspace, 'small')
    await demo.fill(scene)
  },
  async trigger(services, workspace, type) {
    const { demo, scene } = await sceneOf(services, workspace, randomBytes(8).toString('hex'))
    return demo.trigger(scene, type)
  },
}

/** Every endpoint of the API. A new resource is one more line here. */
export const routes: readonly Route[] = [
  ...metaRoutes(() => ({ routes, shapes, examples })),
  ...auditRoutes,
  ...requestRoutes,
  ...workspaceRoutes,
  ...userRoutes,
  ...installationRoutes,
  ...jobRoutes,
  ...eventRoutes,
  ...suppressionRoutes,
  ...webhookRoutes,
  ...listRoutes({ sourced_profile: profileRelation }),
  ...sourcedProfileRoutes,
  ...peopleRoutes,
  ...poolRoutes,
  ...applicationReads({ job: jobRelation, stage: stageRelation, orders: ordersRelation }),
  ...applicationWrites,
  ...interviewRoutes,
  ...packageRoutes,
  ...orderReads({ application: applicationRelation, applicant: applicantRelation, job: jobRelation }),
  ...orderWrites,
  ...vendorRoutes,
  ...uploadRoutes,
  ...resumeRoutes,
  ...applicantRoutes({ applications: applicationsRelation }),
  ...contactInfoRoutes,
  ...messageRoutes,
  ...analyticsRoutes,
  ...exportRoutes,
  ...testWorkspaceRoutes(activity),
]

/** What the OpenAPI description shows of them. */
export const examples: Examples = { callOf: describedCall, eventOf: sampleEvent }

/** Every shape that a response can contain. */
export const shapes: readonly Shape[] = collectShapes(routes)

/** Loaded when the documentation is first asked for: a service without the demo does not wait for it at start. */
const findDemo: FindDemo = async ({ db, keyring }) => (await import('../demo/index.ts')).demoWorkspace(db, keyring)

/** Candidates see a failure in their own language, in the frame of the company. */
const sendFailure: typeof sendFailurePage = (request, ...rest) =>
  isCareersRequest(request) ? sendCareersFailure(request, ...rest) : sendFailurePage(request, ...rest)

/** Every path outside the API. */
export function rawRoutes(services: Services, readiness: Readiness, apiRoutes = routes): RawRoute[] {
  const readDownloads = downloadsReader(services)
  return [
    ...healthRoutes(readiness),
    ...assetRoutes(),
    ...homeRoutes(services),
    ...docsRoutes(apiRoutes, services, { findDemo, readDownloads }),
    ...downloadRoutes(readDownloads),
    ...careersRoutes(services, findDemo),
    programFiles(services),
    ...consoleRoutes(services),
    ...hiringRoutes(services, apiRoutes),
    ...partnerRoutes(apiRoutes, services, readDownloads),
    ...storageRoutes(services),
    ...signInRoutes(services),
    ...mcpRoutes(apiRoutes, services),
  ]
}

/** The server, not listening yet. */
export const buildServer = (services: Services, readiness: Readiness, apiRoutes = routes): HttpServer =>
  createServer(apiRoutes, rawRoutes(services, readiness, apiRoutes), services, { wanted: wantsPage, send: sendFailure })

/** The background loops. While sending is held, what they would send waits in its queue. */
export const workers = (services: Services, chooseSandbox?: ChooseSandbox): Worker[] => [
  sequenceEvents(services),
  ...(services.sendingHeld ? [] : senders(services)),
  parseResumes(services, chooseSandbox),
  scoreAgain(services),
  rebuildSearch(services),
  ageResumeAccessWorker(services),
  closeDueJobsWorker(services),
  attendOrders(services),
  askForFeedback(services),
  advanceTestClocks(services),
  playTestVendor(services),
  emitTemplateFormsWorker(services),
  continueErasures(services),
  addUpFunnelChanges(services),
  runExports(services),
  expireFiles(services),
  pruneRows(services),
  deleteWorkspaces(services),
  runRetention(services),
]

/** Those that send webhooks and email, and write to a search cluster: a copy of the store must not write to that of the original. */
const senders = (services: Services): Worker[] => [
  deliverWebhooks(services),
  watchAlerts(services),
  postAlerts(services),
  sendMails(services, alertMails),
  sendMessages(services),
  sendMails(services, candidateMails(writeCandidateMail)),
  sendMails(services, teamMails),
  sendMails(services, requestMails),
  ...indexPool(services),
]

/** Everything that the secret key of the installation has sealed: `hiring secret rotate` seals it again with the next one. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  RETAINED_KEYS,
  ...webhookSealedColumns,
  ...alertSealedColumns,
  ...signInSealedColumns,
  ...secondFactorSealedColumns,
  ...companySealedColumns,
  ...messageSealedColumns,
  ...interviewSealedColumns,
]

/** What waits for the background loops, in the figures for operators. */
const QUEUES: Readonly<Record<string, Sql<Waiting>>> = {
  feed: eventsWaiting,
  webhooks: deliveriesWaiting,
  resumes: resumesWaiting,
  exports: exportsWaiting,
  messages: messagesWaiting,
  candidate_mails: CANDIDATE_MAILS.waiting,
  team_mails: TEAM_MAILS.waiting,
  alerts: notificationsWaiting,
  workspace_deletions: deletionsWaiting,
  erasures: erasuresWaiting,
  erasure_request_mails: requestMailsWaiting,
  retention: retentionWaiting,
}

/** Counts what waits in each queue; empty if the queues cannot be read. */
export async function readQueues({ db, log }: Pick<Services, 'db' | 'log'>): Promise<ReadonlyMap<string, Waiting>> {
  const found = await Promise.all(
    Object.entries(QUEUES).map(async ([name, statement]) => [name, await db.one(statement)] as const),
  ).catch(error => {
    log.warn({ err: error }, 'the queues could not be counted')
    return []
  })
  return new Map(found.flatMap(([name, waiting]) => (waiting ? [[name, waiting] as const] : [])))
}

/**
 * What /readyz reports besides the parts of the kernel. The pool search does not count: without an index in memory, searches
 * are ranked in the database, and without a search cluster all other requests still work.
 */
export const furtherParts = ({ db }: Pick<Services, 'db'>): ReadinessPart[] => [
  { name: 'search', required: false, cacheMs: 1_000, check: () => engineFor(db).check() },
]

/** The index of the pool search in the figures for operators. */
export function watchSearch({ db, metrics }: Pick<Services, 'db' | 'metrics'>): void {
  const state = () => engineFor(db).state()
  metrics.gauge(
    'hiring_search_index_profiles',
    'Profiles in the search index of this process; 0 until the first search has loaded it.',
    () => state().profiles,
  )
  metrics.gauge(
    'hiring_search_index_age_seconds',
    'Time since the search index of this process had every change; a search applies them first.',
    () => state().ageSeconds,
  )
}

/** Ends the thread of the search index, if there is one. */
export const closeSearch = ({ db }: Pick<Services, 'db'>): Promise<void> => engineFor(db).close()

/** Files of the embedded store are served here; an S3 store serves its own. */
function storageRoutes(services: Services): RawRoute[] {
  const { blobs, keyring, db, config } = services
  if (!(blobs instanceof FolderBlobs)) return []
  const handler = storageHandler({
    blobs,
    signingKeys: () => keyring.keysFor('storage'),
    putSeconds: config.UPLOAD_TIMEOUT_SECONDS,
    idleSeconds: config.RESPONSE_IDLE_SECONDS,
    // every key is <kind>/<workspace>/…
    dbNow: key => nowIfOpen(db, key.split('/')[1] ?? ''),
    fail: (response, code, message) => {
      const requestId = requestIdOf(response.req)
      noteRequest(response.req, { code })
      const reply = errorReply(new ApiError(code, { message }), requestId, services.publicUrl)
      writeReply(response, reply, { requestId, limits: UNKNOWN_CALLER, closing: false })
    },
  })
  return [
    {
      methods: ['GET', 'PUT'],
      path: '/storage/*',
      handler: ({ request, response }) => handler(request, response, (request.url ?? '').slice('/storage'.length)),
      bodySeconds: config.UPLOAD_TIMEOUT_SECONDS,
    },
  ]
}
