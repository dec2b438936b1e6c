import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { examples, routes, shapes } from '../src/app.ts'
import { consoleArea } from '../src/console/program.ts'
import { endpoints as consoleEndpoints } from '../src/console/routes.ts'
import { hiringArea } from '../src/hiring/program.ts'
import { endpoints as hiringEndpoints } from '../src/hiring/routes.ts'
import { exampleFile } from '../src/kernel/config/config.ts'
import { Database } from '../src/kernel/db/database.ts'
import { migrate } from '../src/kernel/db/migrate.ts'
import { openapi } from '../src/kernel/http/openapi.ts'
import { createLog } from '../src/kernel/telemetry/log.ts'
import { accessTable, jobRightsTable } from '../src/programs/access-table.ts'
import { cloneDatabase, stopOwnServer } from '../test/harness/postgres.ts'
import { type OpenapiDocument, sdkSource } from './generate-sdk.ts'
import { dumpSchema } from './schema.ts'
import { pythonSdk } from './sdk-python/generate.ts'

/**
 * Writes the files that are generated and reviewed: the interface, its SDKs, the schema, the settings. With --check it
 * writes nothing and fails where a file differs from what the code would make.
 */
const ROOT = join(import.meta.dirname, '..')
const ABOUT = `# Who may do what

The calls of the console and of the hiring pages, and the roles that may make each of them. The table is generated from
the code that checks them (\`npm run generate\`).

- *limited to jobs*: what people may do whose access is limited to jobs: everything (*yes*), nothing (*no*), only records *of
  their jobs*, only *with \`job_id\`* of one of their jobs, or they see no more than *what is of their jobs*.
- *right in the job*: the right that the person needs in every job that the call names. [Rights in a job](#rights-in-a-job)
  has the roles that give it. A call that names no job needs it in all jobs of the person.
- *proof*: people who have a second factor must have proved it in the last 15 minutes.
- *key manager*: where the workspace names email domains that may manage keys, the person's address must have one of them.
- *expensive*: the call counts against the lower of the two limits of a minute.
`
const RIGHTS_IN_A_JOB = `## Rights in a job

On the team of a job a member is a recruiter, a hiring manager or an interviewer. The role in the workspace counts as well,
and the smaller of the two wins: a viewer is a viewer on every team. Members with access to all jobs act as recruiters where
they are on no team; owners and admins may do everything. Keys are not checked for roles in a job: those of people who are
limited to jobs have no scope that shows a candidate.
`
const AMBIGUOUS = `# The specification fixes /jobs/by-slug/{slug} next to these paths, and /jobs/by-slug/publish would match two of them. The
# router takes the segment without a placeholder first, and no job handle is \`by-slug\`: handles begin with the prefix of
# their type. Any other pair of ambiguous paths is reported. The list is generated from the routes (\`npm run generate\`).
../../openapi.json:
  no-ambiguous-paths:
`
const check = process.argv.includes('--check')

if (process.argv.includes('--help')) {
  console.log(
    'Usage: npm run generate [-- --check]\nWrites openapi.json, the SDKs, schema.sql and .env.example from the code.',
  )
} else {
  const description = openapi({ routes, shapes, examples, publicUrl: 'http://127.0.0.1:8080' })
  const files: Record<string, string> = {
    'openapi.json': `${JSON.stringify(description, null, 1)}\n`,
    'packages/sdk/src/generated.ts': sdkSource(description as unknown as OpenapiDocument),
    ...pythonSdk(description),
    'tools/openapi/.redocly.lint-ignore.yaml': lintExceptions(),
    '.env.example': exampleFile(),
    'docs/who-may-do-what.md': whoMayDoWhat(),
    'schema.sql': await schema(),
  }
  const stale = Object.entries(files).filter(([name, text]) => current(name) !== text)
  for (const [name, text] of stale) if (!check) writeFileSync(join(ROOT, name), text)
  for (const [name] of stale) console.log(check ? `${name} is out of date: run npm run generate` : `wrote ${name}`)
  if (stale.length === 0) console.log('generated files are up to date')
  if (check && stale.length > 0) process.exitCode = 1
}

/** Who may call what in our own pages. */
function whoMayDoWhat(): string {
  const tables = [
    accessTable('Console', consoleArea, consoleEndpoints),
    accessTable('Hiring pages', hiringArea, hiringEndpoints),
    `${RIGHTS_IN_A_JOB}\n${jobRightsTable()}`,
  ]
  return `${ABOUT}\n${tables.join('\n')}`
}

/** The paths that Redocly may find ambiguous. */
function lintExceptions(): string {
  const ambiguous = routes.map(({ path }) => path).filter(path => /^\/jobs\/\{job_handle\}\/[^/{]+$/.test(path))
  const pointers = [...new Set(ambiguous)].map(path => `    - '#/paths/${path.replaceAll('/', '~1')}'\n`)
  return AMBIGUOUS + pointers.join('')
}

function current(name: string): string | undefined {
  try {
    return readFileSync(join(ROOT, name), 'utf8')
  } catch {
    return undefined // not there yet
  }
}

async function schema(): Promise<string> {
  const database = await cloneDatabase()
  const db = new Database(database.connection, { connections: 4, log: createLog('silent') })
  try {
    await migrate(db) // a server that the environment names can have an older template
    return await dumpSchema(db)
  } finally {
    await db.close()
    await database.drop()
    await stopOwnServer()
  }
}
