import { tryWorkerSettings } from '../kernel/citus/cluster-settings.ts'
import { migrationStatus } from '../kernel/db/migrate.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { openStore } from '../kernel/services/open-store.ts'
import { createLog } from '../kernel/telemetry/log.ts'
import { table, type Verb, type VerbInput, type VerbOutput } from './verb.ts'
import { withStore } from './with-store.ts'

export const migrateVerb: Verb = {
  name: 'migrate',
  description: 'Brings the database schema up to date, while other processes use it.',
  options: { status: { description: 'show which migrations are applied and which would be, and change nothing' } },
  run: input =>
    input.flag('status')
      ? showMigrations(input)
      : withStore(
          input,
          async ({ db, applied }) => {
            const warnings = await tryWorkerSettings(db)
            const done = applied.length === 0 ? ['the schema is up to date'] : applied.map(name => `applied ${name}`)
            return {
              json: { applied, ...(warnings.length > 0 && { warnings }) },
              text: [...done, ...warnings].join('\n'),
            }
          },
          line => void (input.json || process.stderr.write(`${line}\n`)),
        ),
}

const RUNS = {
  transaction: 'in a transaction',
  outside: 'statement by statement',
  batches: 'in batches of rows',
} as const

/** The versions of the program and of the schema may differ: see docs/upgrading.md. */
async function showMigrations(input: VerbInput): Promise<VerbOutput> {
  const store = await openStore(input.config({ DATABASE_CONNECTIONS: '4' }), createLog('error'))
  try {
    const migrations = await migrationStatus(store.db)
    const rows = migrations.map(({ version, name, applied, runs }) => [
      String(version).padStart(6, '0'),
      name,
      applied ? 'applied' : `to be applied ${RUNS[runs]}`,
    ])
    return { json: { migrations }, text: table(rows) }
  } finally {
    await store.close()
  }
}

export const demoVerb: Verb = {
  name: 'demo',
  description: 'Loads the demo workspaces into an empty database.',
  run: input =>
    withStore(input, async ({ db, keyring }) => {
      const { demoCredentials, loadDemo } = await import('../../demo/index.ts')
      const { openBlobs } = await import('../kernel/services/open-services.ts')
      const { openTransport } = await import('../kernel/services/open-mailer.ts')
      const config = input.config()
      const publicUrl = config.publicUrl ?? ''
      const blobs = await openBlobs(config, { db, keyring, publicUrl })
      const { outbox } = openTransport(config)
      try {
        const summary = await loadDemo({ db, blobs, outbox, keyring, publicUrl, log: createLog('error') })
        if (!summary)
          throw new UserError('the database is not empty; demo data can only be loaded into an empty database')
        const rows = Object.entries(summary.counts).map(([name, count]) => [name, String(count)])
        const { key, sign_in } = await demoCredentials(db, keyring)
        return {
          json: { ...summary, key, sign_in },
          text: `${table(rows)}\nkey: ${key}\nsign in: ${sign_in?.email}\npassword: ${sign_in?.password}`,
        }
      } finally {
        await blobs.close()
      }
    }),
}

export const demoCredentialsVerb: Verb = {
  name: 'demo credentials',
  description: 'Shows the API key and the credentials of the demo workspaces.',
  run: input =>
    withStore(input, async ({ db, keyring }) => {
      const { demoCredentials } = await import('../../demo/index.ts')
      const { key, sign_in } = await demoCredentials(db, keyring)
      if (key === null && sign_in === null) {
        throw new UserError('there is no demo, or its key was revoked and its password changed')
      }
      const rows = [
        ...(sign_in
          ? [
              ['Sign in', sign_in.email],
              ['Password', sign_in.password],
            ]
          : []),
        ...(key ? [['Demo key', key]] : []),
      ]
      return { json: { key, sign_in }, text: table(rows) }
    }),
}
