import { stem } from '../../kernel/text/stemmer.ts'
import { foldCase } from '../../kernel/text/tokenize.ts'

/**
 * What readers call things, and the words of this documentation for them. One row for each name that the pages do not
 * use, or use for something else: the left side is looked for under every phrase of the right side too. Several names
 * of one row are separated by `|`. An identifier on the right leads to that identifier alone; a phrase needs all of its
 * words.
 */
const TABLE = `
  pagination | paginate | paginated | page number | offset = page through a list, paging, next_cursor, cursor
  next page | load more = page through a list, next_cursor
  next_cursor | cursor | has_more = page through a list, paging
  infinite scroll = page through a list
  page size | per page = limit rows page

  auth | authenticate | authentication | authorization | credentials = check your key, unauthenticated, authorization header
  login | log in | sso | single sign on = sign-in
  oauth | oauth2 | oidc | openid | openid connect | pkce = sign-in, openid-client
  refresh token | refresh_token = stay signed in, offline_access
  access token = sign-in call the api
  bearer | bearer token = authorization header, check your key
  api key | apikey | token | secret key = check your key, manage keys
  permission | permissions | access control = scopes, insufficient_scope
  missing scope | missing scopes | missing permission | missing permissions | scope missing | scope required | lacks scope | wrong scope = insufficient_scope
  forbidden = insufficient_scope, permission
  unauthorized | unauthorised | not authorized = unauthenticated

  hmac | sha256 | verify signature | verify signatures | signature verification | verify webhook | verify webhooks = check the signature
  signing secret | webhook secret = signing_secret, rotate the secret
  callback | callback url | webhook url | subscribe | subscription | push notification | push notifications = register an endpoint, webhooks
  webhook event | webhook events | webhook events list | list events | list webhook events | event list | events list | available events | event catalog | event catalogue = event types
  replay attack = check the signature, tolerance
  hiring listen | listen | forward | forward events | forward webhooks | events tail | cli | command line = try it on your laptop, hiring-partner-cli
  request id lookup | lookup request | lookup request id | request lookup | find request = look up a request
  request log | request logs | call history = look up a request, request log
  retry schedule | webhook retry | webhook retries | webhook retry schedule | delivery attempts = respond quickly, attempt webhook
  dead letter | redrive | resend | replay = redeliver, recover, after an outage

  localhost | local | locally | ngrok | tunnel | laptop | development | dev = testing on a laptop, WEBHOOK_ALLOW_HOSTS
  test mode | test key | test keys | sandbox mode = sandbox
  sandbox | test environment | staging | test data | demo data | mock = demo, testing on a laptop, test workspaces
  docker | docker compose | podman | compose | container | containers = containers with docker
  kubernetes | k8s | helm | deploy | deployment | install | self host | self hosted | hosting = operating, one process or several
  production | prod | launch | checklist | go live = going live
  monitoring | prometheus | grafana | observability | alerting = metrics, health
  health check | healthcheck | liveness | readiness = health, readyz
  sla | slo | service level | uptime | sla uptime | uptime sla | status page | availability = SLA uptime and status page
  environment variable | environment variables | env | env var | env vars | config | configuration = settings
  disaster recovery | restore = backup
  reverse proxy | nginx | load balancer = behind a proxy
  tls | ssl | https | certificate = TLS_CERT, behind a proxy

  sdk | sdks | library | libraries | client library | package | npm | pip | pypi = client libraries, openapi
  swagger | postman | schema | spec | code generation = openapi
  typescript | javascript | nodejs | node js = typescript sdk, client libraries
  python = python sdk, client libraries
  mcp | model context protocol | llm | ai | chatgpt | claude = mcp, llms.txt

  status code | status codes | http status | http codes | error code | error codes | response codes = when to retry, errors
  400 | bad request | validation | validation error = invalid_request
  401 = unauthenticated
  402 | payment required = payment_required
  403 = insufficient_scope
  404 | not found = not_found
  409 | conflict = stale_resource, conflict
  413 = payload_too_large
  422 = job_not_publishable
  429 | throttle | throttled | throttling | too many requests = rate_limit_exceeded, rate limits
  500 | server error = internal_error
  503 | outage | downtime = unavailable, datastore_unavailable
  backoff | exponential backoff | jitter = when to retry, Retry-After
  retries = when to retry
  rate limit | rate limits | rate limiting | ratelimit | quota = rate limits, calls per minute
  quotas = monthly quota
  optimistic locking | concurrency | race condition | etag | if match = stale_resource, expected_updated_at, concurrent changes
  duplicate request | duplicate requests | exactly once | safe retry = idempotency

  unlock resume | unlock resumes | locked resume = resume_locked, résumé unlocked
  resume | resumes | cv | cvs | curriculum vitae = résumé
  upload resume | upload cv | upload file | file upload | attach resume = upload the résumé
  parse resume | resume parsing | parsed resume = résumé parsed profile
  download resume | resume file | pdf = résumé download
  source applicant | applicant source | candidate source | application source | source application | source candidate | attribution = source of an applicant
  match score | matching | ranking | fit = match_pct, score
  interview feedback | feedback | evaluation = scorecards
  comment | comments = notes

  requisition | requisitions | opening | openings | posting | postings | vacancy | vacancies | position | positions = jobs
  job board | job boards | jobboard = push jobs, submit applications job board
  post a job | create a job | create job | push job | push jobs | import jobs | sync jobs | multiposting | multi poster = push jobs
  career page | careers page | career site | careers site = jobs read, choosing scopes
  expire job | archive job | delete job = close a job
  candidate | candidates = applicants, applications
  apply | application form | submit application | submit applications | submit candidate | create candidate | create application = submit applications
  duplicate candidate | duplicate candidates | dedupe | deduplicate | deduplication | duplicates = duplicates
  advance | change stage | move candidate | move stage | next stage | pipeline stage = move an application
  offer | offers | offer letter | job offer = not in this api offers
  hired | hiring = hire
  interview scheduling | schedule interview | schedule interviews | interview schedule | interviews | calendar | calendars = interviews and scheduling
  custom field | custom fields | custom attribute | custom attributes | custom properties | metadata = custom fields
  disqualify | decline | dismiss | archive candidate = reject
  undo | unreject | revert = reopen
  prospect | prospects | lead | leads | sourcing | sourcing tool | talent pool | crm = sourcing, sourced profiles, shared pool
  add to list | save candidate = add members to a list
  tag | tags | label | labels | tagging = not in this api tags
  folder | folders = lists
  match people | identity resolution | find person | lookup | merge people = people resolve
  team | employees | members | recruiters = users
  multiple workspaces | several workspaces | many workspaces | more than one workspace | multi workspace | all workspaces = several workspaces
  tenant | organization | organisation | company | account = workspaces

  email candidate | send email | send mail | outreach = messages
  unsubscribe | opt out | do not contact = unsubscribed, recipient_unsubscribed
  phone | phone number | phone numbers = contact:phone:read, contact info
  email address | contact details | contact information = contact info
  pii | personal information | privacy = personal data
  gdpr | ccpa | right to be forgotten | data deletion | delete candidate | delete person | forget = erasure
  audit | audit trail | access log = audit log
  eeo | diversity | gender | ethnicity | equal opportunity = equal-opportunity
  transcript | recording | call recording = never exposed

  polling | change data capture | cdc | event stream | changes | delta | incremental = feed, events
  backfill | initial load | bulk export | dump | snapshot | full sync | initial sync = full copy, export, sync from zero
  sync | synchronize | synchronization | mirror | replicate = syncing
  missed events | lost events | gap = gap, after an outage
  retention | event retention | data retention = events kept
  sort | sorting | sort order | order by | filter | filters | filtering | date filter | date range = sorting and filtering
  timezone | time zone | timezones | utc | date format | time format | timestamp format | rfc 3339 | iso 8601 = dates times and time zones
  event order | ordering | ordered = sequence, feed
  infinite loop | sync loop | echo = exclude_origin
  batch | bulk = resolve:batch, export
  search candidates | boolean search = pool search
  report | reports | reporting | statistics | stats | metrics api = analytics, hiring funnel

  deprecation | deprecated | sunset | breaking change | breaking changes | api version | version header | versioning = versions
  release notes | what is new | whats new | changes log = changelog
  rss | atom = changelog feed
  partner page | partners page | usage | usage page = partner's page usage
  background check | background checks | assessment | assessments | assessment vendor = assessments and background checks
  withdraw | withdrawal | withdrawn = withdrawn applications, application.withdrawn
  support | request id | correlation id | trace id = Service-Request-Id, request_id
  cors | browser | frontend = never in a browser, going live
  ip allowlist | ip whitelist | firewall = allowlist

  greenhouse | harvest = moving from greenhouse
  lever = moving from lever
  ashby = moving from ashby
  merge | merge dev | merge.dev | unified api | finch | kombo = moving from merge
  migrate | migration | migrating | switch = moving from
`

interface Row {
  /** stems of the words of the name */
  words: readonly string[]
  synonyms: readonly string[]
}

const rows: Row[] = TABLE.split('\n')
  .map(line => line.trim())
  .filter(line => line !== '')
  .flatMap(line => {
    const [names, phrases] = line.split(' = ') as [string, string]
    const synonyms = phrases.split(',').map(phrase => phrase.trim())
    return names.split('|').map(name => ({ words: name.trim().split(' ').map(stemOf), synonyms }))
  })

function stemOf(word: string): string {
  return stem(foldCase(word).replaceAll(/[^\p{L}\p{N}]/gu, ''))
}

const byName = Map.groupBy(rows, ({ words }) => words.join(' '))
const longest = Math.max(...rows.map(({ words }) => words.length))

export const SYNONYMS = {
  /** The longest name that the words begin with; each word is given as its spellings, the whole word last. */
  longestAt(words: readonly (readonly string[])[]): { length: number; synonyms: readonly string[] } | undefined {
    for (let length = Math.min(longest, words.length); length > 0; length--) {
      const found = byName.get(
        words
          .slice(0, length)
          .map(spellings => stemOf(spellings.at(-1) ?? ''))
          .join(' '),
      )
      if (found) return { length, synonyms: found.flatMap(({ synonyms }) => synonyms) }
    }
    return undefined
  },
  has: (spellings: readonly string[]): boolean => byName.has(spellings.map(stemOf).join(' ')),
  /** names of one word, against which spelling is checked */
  singleWords: [...new Set(TABLE.split('\n').flatMap(line => (line.split(' = ')[0] ?? '').split('|')))]
    .map(name => name.trim())
    .filter(name => /^[a-z]+$/.test(name)),
  /** for the test that every synonym leads somewhere */
  phrases: [...new Set(rows.flatMap(({ synonyms }) => synonyms))],
}
