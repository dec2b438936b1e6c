import { resolve } from 'node:path'
import {
  backupKey,
  certificateFile,
  databaseUrl,
  headers,
  host,
  hosts,
  integer,
  mailbox,
  oneOf,
  optional,
  optionalPort,
  optionalSwitch,
  origin,
  origins,
  pattern,
  processCount,
  readableFile,
  roles,
  rsaKeyFile,
  SAMPLERS,
  secretKeys,
  share,
  string,
  trustProxy,
  url,
  urls,
  zeroOr,
} from './parse-setting.ts'

/**
 * Every setting of the service: one declaration each, read from the environment or from a `.env` file (the environment
 * wins). `config.ts` reads them. `.env.example` is generated from this table.
 */
interface Setting<T> {
  description: string
  /** what the example file shows; also what applies when nothing is set, as a value or a description */
  default: string
  secret?: true
  parse: (text: string | undefined) => T
}

const setting = <T>(description: string, fallback: string, parse: (text: string | undefined) => T, secret?: true) =>
  ({ description, default: fallback, parse, ...(secret ? { secret } : {}) }) satisfies Setting<T>

export const SETTINGS = {
  PORT: setting('Port of the HTTP server; 0 chooses a free port.', '8080', integer(8080, 0, 65535)),
  HOST: setting('IP address or host name to listen on; 0.0.0.0 listens on all IPv4 addresses.', '127.0.0.1', host),
  PUBLIC_URL: setting(
    'Public origin of the service, such as https://hiring.example.com. Links in responses and emails start with it.',
    'http://HOST:PORT, or https with TLS',
    origin,
  ),
  DATA_DIR: setting(
    'Folder of the embedded database, the files and the local mail outbox.',
    '.data',
    (text: string | undefined) => resolve(text ?? '.data'),
  ),
  DATABASE_URL: setting(
    'URL of your own PostgreSQL server (15 or newer). Without it, an embedded one runs in DATA_DIR. Several hosts, separated by commas: the one that accepts writes is used.',
    'embedded',
    databaseUrl,
    true,
  ),
  DATABASE_REPLICA_URL: setting(
    'URL of a streaming standby of that server. Exports and analytics read there if it is at most 30 seconds behind, else at the primary.',
    'none',
    url('postgres:', 'postgresql:'),
    true,
  ),
  DATABASE_CONNECTIONS: setting(
    'Database connections of one process: half for single statements, half for transactions. A few more are used for key lookups and background work.',
    '20; 10 if several processes serve requests',
    integer(20, 4, 500),
  ),
  DATABASE_WAIT_SECONDS: setting(
    'How long a request waits for a database connection before it fails with 429 and Retry-After.',
    '2',
    integer(2, 1, 60),
  ),
  SECRET_KEY: setting(
    'Key that signs cursors and file URLs and encrypts stored secrets: 64 hexadecimal digits, the same on every node. While it is being replaced: both keys, separated by a comma.',
    'generated at the first start and stored in DATA_DIR/secret.key',
    secretKeys,
    true,
  ),
  ROLES: setting('Roles of this process: api, worker or both.', 'api,worker', roles),
  PROCESSES: setting(
    'Processes that share the port and serve requests: 1 to 64, or auto for one per core. With more than one, background work has processes of its own.',
    'auto; 1 with the demo or LIMITER=memory',
    processCount,
  ),
  WORKER_PROCESSES: setting(
    'Processes for background work, if the service runs in several processes.',
    '1',
    integer(1, 1, 16),
  ),
  DEMO: setting(
    'Load the demo workspaces into an empty database at start: on or off.',
    'on; off with DATABASE_URL or PUBLIC_URL',
    oneOf(['on', 'off'], 'on'),
  ),
  REQUEST_LOG: setting(
    'Store every API call for seven days, without its body and without personal values: on or off.',
    'on',
    oneOf(['on', 'off'], 'on'),
  ),
  DOWNLOADS: setting(
    'Offer the SDKs, the command for partners and the OpenAPI description of this version at /downloads, without a key: on or off.',
    'on',
    oneOf(['on', 'off'], 'on'),
  ),
  ERASURE_REACH: setting(
    'Reach of an erasure requested in a console: workspace (only that workspace; the owners of others decide for theirs) or installation (every workspace and the shared pool; use it only if all workspaces belong to one customer).',
    'workspace',
    oneOf(['workspace', 'installation'], 'workspace'),
  ),
  WORKSPACE_GRACE_DAYS: setting(
    'Days between the deletion of a workspace by an owner or operator, which closes it, and the deletion of its data.',
    '7',
    integer(7, 1, 90),
  ),
  RETENTION_APPLICATION_MONTHS: setting(
    'Months after which applications without activity that were rejected or withdrawn, or whose job is closed, are deleted in workspaces that set nothing else. 0: never.',
    '0',
    integer(0, 0, 120),
  ),
  RETENTION_APPLICATION_MAX_MONTHS: setting(
    'The longest time in months that a workspace retains them, whatever it set. 0: no limit.',
    '0',
    integer(0, 0, 120),
  ),
  RETENTION_AUDIT_DAYS: setting(
    'Days after which rows of the audit of personal data are deleted in workspaces that set nothing else, at least 90. 0: never.',
    '0',
    zeroOr(90, 3_650),
  ),
  LIMITER: setting(
    'Where rate limits are counted: memory (one API process), postgres or redis (several). auto: redis with REDIS_URL, postgres with DATABASE_URL or several processes, else memory.',
    'auto',
    oneOf(['auto', 'memory', 'postgres', 'redis'], 'auto'),
  ),
  REDIS_URL: setting('URL of a Redis server for the rate limiter.', 'none', url('redis:', 'rediss:'), true),
  SMTP_URL: setting(
    'URL of the SMTP server. Without it, emails are stored in DATA_DIR/outbox and not sent.',
    'none',
    url('smtp:', 'smtps:'),
    true,
  ),
  SMTP_TIMEOUT_SECONDS: setting(
    'Timeout for sending one email, from the connection to the response of the mail server.',
    '20',
    integer(20, 1, 120),
  ),
  MAIL_FROM: setting(
    'Sender of every email: an email address, or Name <email address>. Required with SMTP_URL.',
    'Hiring <no-reply@localhost>',
    mailbox('Hiring <no-reply@localhost>'),
  ),
  MAILBOX_DOMAIN: setting(
    'Domain of the addresses to which a test workspace can write. Its emails are stored and shown, and never sent.',
    'mailbox.<host of PUBLIC_URL>; mailbox.hiring.internal on an IP address or localhost',
    pattern(/^(?=.{4,200}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,63}$/, 'a domain name in lower case'),
  ),
  TEST_WORKSPACES: setting(
    "Who creates test workspaces of a live workspace: admins (its owners and admins, in the console) or self_serve (also anyone with a key of a member, on the partner's page).",
    'admins; self_serve with the demo',
    oneOf(['admins', 'self_serve'], 'admins'),
  ),
  DKIM_DOMAIN: setting(
    'Domain that signs every email (DKIM); needs DKIM_SELECTOR and DKIM_PRIVATE_KEY.',
    'none',
    pattern(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i, 'a domain name'),
  ),
  DKIM_SELECTOR: setting(
    'Selector of the DKIM key: its public half is published at <selector>._domainkey.<domain>.',
    'none',
    pattern(/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i, 'a name of letters, digits, dots and hyphens'),
  ),
  DKIM_PRIVATE_KEY: setting('File (PEM) of the RSA private key that signs email.', 'none', rsaKeyFile),
  TLS_CERT: setting('Certificate file (PEM) to serve HTTPS directly; needs TLS_KEY.', 'none', readableFile),
  TLS_KEY: setting('Private key file (PEM) of TLS_CERT.', 'none', readableFile),
  HSTS_SECONDS: setting(
    'max-age of the Strict-Transport-Security header. Sent with pages and files, not with API responses, if the public URL is https and not on localhost. 0 disables the header.',
    '31536000',
    integer(31_536_000, 0, 63_072_000),
  ),
  TRUST_PROXY: setting(
    'IP addresses or CIDR ranges of trusted reverse proxies, separated by commas. X-Forwarded-For is read only from these.',
    'off',
    trustProxy,
  ),
  CORS_ORIGINS: setting(
    'Origins, separated by commas, whose pages may call the API from a browser, such as https://app.example.com. For pages that use tokens of the sign-in flow; API keys belong on a server.',
    'none',
    origins,
  ),
  S3_ENDPOINT: setting(
    'URL of an S3-compatible store; without it, Amazon S3 is used. Needs S3_BUCKET.',
    'none',
    url('http:', 'https:'),
  ),
  S3_PUBLIC_ENDPOINT: setting(
    'URL at which browsers and partners reach the S3 store. Addresses of files begin with it, so set it if S3_ENDPOINT is known only inside your network. Needs S3_BUCKET.',
    'S3_ENDPOINT',
    url('http:', 'https:'),
  ),
  S3_REGION: setting('Region of the S3 store.', 'us-east-1', string('us-east-1')),
  S3_BUCKET: setting('Bucket. If it is set, files are stored in S3 instead of DATA_DIR/files.', 'none', optional),
  S3_ACCESS_KEY_ID: setting('Access key of the S3 store.', 'none', optional),
  S3_SECRET_ACCESS_KEY: setting('Secret of the S3 access key.', 'none', optional, true),
  S3_FORCE_PATH_STYLE: setting(
    'Use the bucket in the path instead of the host name (most self-hosted stores).',
    'off',
    oneOf(['on', 'off'], 'off'),
  ),
  S3_PREFIX: setting('Key prefix of every file in the bucket.', 'none', optional),
  SEARCH_URL: setting(
    'URL of an OpenSearch cluster that searches the pool, with credentials if it needs them, such as https://hiring:password@search:9200; several nodes separated by commas. Without it, every process searches with an index in its memory.',
    'none',
    urls,
    true,
  ),
  SEARCH_CA: setting(
    'Certificate file (PEM) of your own certificate authority for the search cluster, instead of the public ones.',
    'none',
    certificateFile,
  ),
  SEARCH_INDEX: setting(
    'Alias of the index in the search cluster; the names of its indexes begin with it. Installations that share a cluster need different ones.',
    'hiring-pool',
    (text: string | undefined) =>
      pattern(/^[a-z0-9][a-z0-9_-]{0,99}$/, 'lower-case letters, digits, hyphens and underscores')(text) ??
      'hiring-pool',
  ),
  SEARCH_SHARDS: setting(
    'Primary shards of an index that is built: about one for 20 million profiles. `hiring search rebuild` applies a change.',
    '1',
    integer(1, 1, 1_024),
  ),
  SEARCH_TIMEOUT_MS: setting(
    'How long a request waits for the search cluster before it fails with 429 and Retry-After.',
    '1000',
    integer(1_000, 50, 30_000),
  ),
  BACKUP_KEY: setting(
    'Key that `hiring backup` encrypts backups with: 64 hexadecimal digits. Keep a copy outside this installation: without it, no backup can be restored.',
    'none: backups are not encrypted and do not contain the secret key',
    backupKey,
    true,
  ),
  BACKUP_MAX_AGE_HOURS: setting(
    'Age of the last backup after which `hiring doctor` warns.',
    '26',
    integer(26, 1, 8_760),
  ),
  BACKUP_S3_ENDPOINT: setting(
    'URL of the S3-compatible store of backups in s3://BUCKET/PREFIX.',
    'S3_ENDPOINT',
    url('http:', 'https:'),
  ),
  BACKUP_S3_REGION: setting('Region of that store.', 'S3_REGION', optional),
  BACKUP_S3_ACCESS_KEY_ID: setting('Access key of that store.', 'S3_ACCESS_KEY_ID', optional),
  BACKUP_S3_SECRET_ACCESS_KEY: setting('Secret of that access key.', 'S3_SECRET_ACCESS_KEY', optional, true),
  BACKUP_S3_FORCE_PATH_STYLE: setting(
    'Use the bucket in the path, for that store: on or off.',
    'off; S3_FORCE_PATH_STYLE without BACKUP_S3_ENDPOINT',
    optionalSwitch,
  ),
  WEBHOOK_ALLOW_HOSTS: setting(
    'Hosts (host or host:port, separated by commas) that webhooks may reach over https although their IP address is not public. For development and tests. A service with demo data that listens on loopback needs no entry for http://localhost.',
    'none',
    hosts,
  ),
  WEBHOOK_CA: setting(
    'Certificate file (PEM) of your own certificate authority for webhook receivers, in addition to the public ones.',
    'none',
    certificateFile,
  ),
  COMPANY_SIGN_IN_ALLOW_HOSTS: setting(
    'Hosts (host or host:port, separated by commas) of OpenID providers of companies that may be asked although their IP address is not public; on localhost also over http. Providers with public addresses need no entry.',
    'none',
    hosts,
  ),
  COMPANY_SIGN_IN_CA: setting(
    'Certificate file (PEM) of your own certificate authority for OpenID providers of companies, in addition to the public ones.',
    'none',
    certificateFile,
  ),
  METRICS_PORT: setting(
    'Port of the Prometheus metrics (/metrics), which also serves /healthz and /readyz; 0 chooses a free port. Without it metrics are not served.',
    'none',
    optionalPort,
  ),
  METRICS_HOST: setting(
    'IP address or host name to serve metrics on. They need no credentials, so do not expose them to the public.',
    '127.0.0.1',
    host,
  ),
  REQUEST_TIMEOUT_SECONDS: setting(
    'Timeout for the body of a request. The timeout for the headers is half of it, at most 15 seconds.',
    '30',
    integer(30, 1, 600),
  ),
  UPLOAD_TIMEOUT_SECONDS: setting(
    'Timeout for a file upload to this service (not to S3).',
    '120',
    integer(120, 1, 900),
  ),
  RESPONSE_IDLE_SECONDS: setting(
    'Closes a connection if the client reads nothing of a response, or sends nothing of an upload, for this time.',
    '30',
    integer(30, 1, 600),
  ),
  KEEP_ALIVE_SECONDS: setting(
    'Keep-alive timeout. Must be longer than that of a load balancer in front, usually 60.',
    '72',
    integer(72, 1, 3600),
  ),
  MAX_CONNECTIONS: setting(
    'Maximum number of open connections. A further one takes the place of the one that has been idle longest; one network has at most a tenth of them.',
    '5000',
    integer(5_000, 1, 1_000_000),
  ),
  RESUME_SECONDS: setting('Processor seconds that parsing one résumé file may take.', '20', integer(20, 1, 60)),
  RESUME_SECONDS_PER_HOUR: setting(
    'Seconds of résumé parsing per workspace and hour. A workspace that has used them up comes after the others, but has one file parsed at least every 10 minutes.',
    '600',
    integer(600, 1, 3600),
  ),
  LOG_LEVEL: setting(
    'Log level: debug, info, warn, error or silent. Lines are JSON on standard error.',
    'info',
    oneOf(['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  ),
  PROCESS_NAME: setting(
    'Name of this process in the lines of its log. Processes that `hiring start` starts have theirs (api-1, worker-1), after this one and a slash.',
    'the roles of the process',
    optional,
  ),
  SLOW_STATEMENT_MS: setting(
    'Statements that take this many milliseconds or more are logged with their text, without values; 0 logs none.',
    '1000',
    integer(1_000, 0, 600_000),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    'URL of an OpenTelemetry collector that takes traces over HTTP, such as http://collector:4318; /v1/traces is added. Without it nothing is traced.',
    'none',
    url('http:', 'https:'),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: setting(
    'Headers of every request to the collector: name=value, separated by commas, values percent-encoded.',
    'none',
    headers,
    true,
  ),
  OTEL_SERVICE_NAME: setting('Name of this service in traces.', 'hiring', string('hiring')),
  OTEL_TRACES_SAMPLER: setting(
    `Which traces are recorded: ${SAMPLERS.join(', ')}. parentbased: a caller that sends traceparent decides for its requests, within a limit.`,
    'parentbased_always_on',
    oneOf(SAMPLERS, 'parentbased_always_on'),
  ),
  OTEL_TRACES_SAMPLER_ARG: setting('Share of traces that a traceidratio sampler records, 0 to 1.', '1', share),
  SHUTDOWN_SECONDS: setting('Timeout for in-flight requests after SIGTERM.', '8', integer(8, 1, 300)),
} satisfies Record<string, Setting<unknown>>
