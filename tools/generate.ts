import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { examples, routes, shapes } from '../src/app.ts'
import { exampleFile } from '../src/kernel/config/config.ts'
import { Database } from '../src/kernel/db/database.ts'
import { migrate } from '../src/kernel/db/migrate.ts'
import { openapi } from '../src/kernel/http/openapi.ts'
import { createLog } from '../src/kernel/telemetry/log.ts'
import { cloneDatabase, stopOwnServer } from '../test/harness/postgres.ts'
import { type OpenapiDocument, sdkSource } from './generate-sdk.ts'
import { dumpSchema } from './schema.ts'
import { pythonSdk } from './sdk-python/generate.ts'

/**
 * Writes the files that are generated and reviewed: the interface, its SDKs, the schema, the settings. With --check it
 * writes nothing and fails where a file differs from what the code would make.
 */
const ROOT = join(import.meta.dirname, '..')
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
    '.env.example': exampleFile(),
    'schema.sql': await schema(),
  }
  const stale = Object.entries(files).filter(([name, text]) => current(name) !== text)
  for (const [name, text] of stale) if (!check) writeFileSync(join(ROOT, name), text)
  for (const [name] of stale) console.log(check ? `${name} is out of date: run npm run generate` : `wrote ${name}`)
  if (stale.length === 0) console.log('generated files are up to date')
  if (check && stale.length > 0) process.exitCode = 1
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
