import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { type EmbeddedServer, openEmbedded } from '../embedded-postgres/embedded.ts'
import type { Log } from '../telemetry/log.ts'
import { StartError } from './start-error.ts'

/** The database that comes with the product, started or joined. */
export async function openEmbeddedStore(config: Config, log: Log, onBegin?: () => void): Promise<EmbeddedServer> {
  checkDataDir(config.DATA_DIR)
  return openEmbedded({
    directory: join(config.DATA_DIR, 'postgres'),
    log: line => log.info({ embedded: true }, line),
    ...(onBegin ? { onBegin } : {}),
  })
}

/**
 * Begins to open it, where the installation has one. Resolves when another process is at work, so that this one can load
 * the modules of the service, which takes as long.
 */
export async function beginEmbeddedStore(
  config: Config,
  log: Log,
): Promise<{ opening: Promise<EmbeddedServer> | undefined }> {
  if (config.DATABASE_URL) return { opening: undefined }
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  const opening = openEmbeddedStore(config, log, resolve)
  // the caller that waits for the server gets the error
  await Promise.race([begun, opening]).catch(() => {})
  return { opening }
}

export function checkDataDir(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(`DATA_DIR cannot be used: ${(error as Error).message}`)
  }
}
