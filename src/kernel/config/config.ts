import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { createSecureContext } from 'node:tls'
import { parseEnv } from 'node:util'
import { emailKey } from '../text/person-keys.ts'
import { ParseFault } from './parse-setting.ts'
import { SETTINGS } from './settings.ts'

type Values = { [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]['parse']> }

export interface Config extends Values {
  /** how many processes serve requests */
  processes: number
  limiter: 'memory' | 'postgres' | 'redis'
  /** undefined when PORT is 0 and PUBLIC_URL is not set: known once the server listens */
  publicUrl: string | undefined
}

/** Thrown with every fault found, one line each. */
export class ConfigError extends Error {
  readonly faults: string[]
  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** Reads and checks all settings together, so that a failed start reports all faults. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, declared] of Object.entries(SETTINGS)) {
    try {
      values[name] = declared.parse(env[name] === '' ? undefined : env[name])
    } catch (error) {
      if (!(error instanceof ParseFault)) throw error
      faults.push(`${name} ${error.message}`)
    }
  }
  const config = values as unknown as Config
  if ((config.TLS_CERT === undefined) !== (config.TLS_KEY === undefined)) {
    faults.push('TLS_CERT and TLS_KEY must be set together')
  }
  if (config.TLS_CERT && config.TLS_KEY) {
    try {
      createSecureContext({ cert: config.TLS_CERT, key: config.TLS_KEY })
    } catch (error) {
      faults.push(`TLS_CERT and TLS_KEY cannot be used: ${(error as Error).message}`)
    }
  }
  if (config.METRICS_PORT && config.METRICS_PORT === config.PORT) faults.push('METRICS_PORT must differ from PORT')
  if (config.DATABASE_REPLICA_URL && !config.DATABASE_URL) faults.push('DATABASE_REPLICA_URL needs DATABASE_URL')
  if (config.LIMITER === 'redis' && config.REDIS_URL === undefined) faults.push('LIMITER=redis needs REDIS_URL')
  if (config.LIMITER === 'memory' && (config.PROCESSES ?? 1) > 1) faults.push('LIMITER=memory needs PROCESSES=1')
  if (config.S3_BUCKET !== undefined && (!config.S3_ACCESS_KEY_ID || !config.S3_SECRET_ACCESS_KEY)) {
    faults.push('S3_BUCKET needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY')
  }
  for (const name of ['S3_ENDPOINT', 'S3_PUBLIC_ENDPOINT'] as const) {
    if (config[name] !== undefined && config.S3_BUCKET === undefined) faults.push(`${name} needs S3_BUCKET`)
  }
  const dkim = [config.DKIM_DOMAIN, config.DKIM_SELECTOR, config.DKIM_PRIVATE_KEY]
  if (dkim.some(part => part !== undefined) && dkim.some(part => part === undefined)) {
    faults.push('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY must be set together')
  }
  if (config.SMTP_URL !== undefined && !env.MAIL_FROM) faults.push('SMTP_URL needs MAIL_FROM')
  if (faults.length > 0) throw new ConfigError(faults)

  // a database or public URL of your own is not a trial: no demo people or known owner there unless DEMO is set
  if (!env['DEMO'] && (config.DATABASE_URL || config.PUBLIC_URL)) config.DEMO = 'off'
  if (!env['TEST_WORKSPACES'] && config.DEMO === 'on') config.TEST_WORKSPACES = 'self_serve'
  const oneProcess = config.DEMO === 'on' || config.LIMITER === 'memory'
  config.processes = config.PROCESSES ?? (oneProcess ? 1 : availableParallelism())
  if (!env['DATABASE_CONNECTIONS'] && config.processes > 1) config.DATABASE_CONNECTIONS = 10
  config.limiter =
    config.LIMITER !== 'auto'
      ? config.LIMITER
      : config.REDIS_URL
        ? 'redis'
        : config.DATABASE_URL || config.processes > 1
          ? 'postgres'
          : 'memory'
  config.publicUrl = config.PUBLIC_URL ?? (config.PORT === 0 ? undefined : listeningOrigin(config, config.PORT))
  return config
}

/** The origin of a server with these settings on this port. */
export function listeningOrigin(config: Pick<Config, 'HOST' | 'TLS_CERT'>, port: number): string {
  return `${config.TLS_CERT ? 'https' : 'http'}://${hostInUrl(config.HOST)}:${port}`
}

/** The host name with which a client on this machine reaches a server that listens on `host`. */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** The domain whose mail test workspaces capture. An address needs a domain with a name. */
export function mailboxDomain({ MAILBOX_DOMAIN, publicUrl }: Pick<Config, 'MAILBOX_DOMAIN' | 'publicUrl'>): string {
  if (MAILBOX_DOMAIN !== undefined) return MAILBOX_DOMAIN
  const host = publicUrl === undefined ? '' : new URL(publicUrl).hostname
  return emailKey(`x@${host}`) === undefined ? 'mailbox.hiring.internal' : `mailbox.${host}`
}

/** Whether only this machine reaches the service: it listens on loopback, and nothing says that a proxy is in front. */
export function isLocalOnly(config: Pick<Config, 'HOST' | 'PUBLIC_URL' | 'TRUST_PROXY'>): boolean {
  const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
  const publicHost = config.PUBLIC_URL === undefined ? undefined : new URL(config.PUBLIC_URL).hostname
  return (
    isLoopback(config.HOST) &&
    config.TRUST_PROXY.length === 0 &&
    (publicHost === undefined || isLoopback(publicHost.replace(/^\[|\]$/g, '')))
  )
}

/** The process's own settings: `.env` in the working folder, then the environment, then the options of the command line. */
export function loadConfig(overrides: Record<string, string | undefined> = {}): Config {
  const { file, environment } = readSources()
  const given = Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined))
  return readConfig({ ...file, ...environment, ...given })
}

type Variables = Record<string, string | undefined>

/**
 * Where settings come from: all names, also those that are not settings. No other part of the service reads process.env.
 */
export const readSources = (): { file: Variables; environment: Variables } => ({
  file: existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {},
  environment: process.env,
})

/** The text of .env.example. */
export function exampleFile(): string {
  const entries = Object.entries(SETTINGS).map(
    ([name, s]) => `# ${s.description}\n# Default: ${s.default}\n#${name}=\n`,
  )
  return `# Settings of the service. Copy to .env, or set them in the environment, which wins.\n# Generated from src/kernel/config/settings.ts.\n\n${entries.join('\n')}`
}
