import { UserError } from '../kernel/errors/user-error.ts'
import {
  readSecretStatus,
  retireSecret,
  rotateInstallationSecret,
  type SecretNeeds,
  VERIFY_DAYS,
} from '../kernel/services/rotate-secret.ts'
import { createLog } from '../kernel/telemetry/log.ts'
import { argumentAt } from './read-option.ts'
import { table, type Verb, type VerbInput } from './verb.ts'
import { withStore } from './with-store.ts'

const withSecrets = <T>(input: VerbInput, work: (needs: SecretNeeds) => Promise<T>): Promise<T> =>
  withStore(input, async ({ db, keyring, secrets }) => {
    const { SEALED_COLUMNS } = await import('../app.ts')
    return work({ db, keyring, source: secrets, columns: SEALED_COLUMNS, log: createLog('error') })
  })

const statusVerb: Verb = {
  name: 'secret status',
  description: 'Shows the secret keys by their ids, what is sealed with each, and which may be retired.',
  run: input =>
    withSecrets(input, async needs => {
      const keys = await readSecretStatus(needs)
      const rows = keys.map(key => [
        key.id,
        key.state,
        String(key.sealed_values),
        key.missing_in.join(', ') || '-',
        key.retirable_from ?? '-',
      ])
      return {
        json: { keys },
        text: table([['KEY', 'STATE', 'SEALED VALUES', 'NOT KNOWN TO', 'MAY BE RETIRED FROM'], ...rows]),
      }
    }),
}

const WAIT_SECONDS = 60

const rotateVerb: Verb = {
  name: 'secret rotate',
  description:
    'Replaces the secret key while the service runs: adds a key, waits until every process has it, uses it, and seals every stored secret again. Run it again to continue after an interruption.',
  options: {
    wait: {
      value: 'SECONDS',
      description: `how long it waits for processes without the new key; ${WAIT_SECONDS} by default`,
    },
  },
  run: input =>
    withSecrets(input, async needs => {
      const waitSeconds = Number(input.option('wait') ?? WAIT_SECONDS)
      if (!Number.isInteger(waitSeconds) || waitSeconds < 0) throw new UserError('--wait must be a number of seconds')
      const onProgress = (line: string) => void (input.json || process.stderr.write(`${line}\n`))
      const done = await rotateInstallationSecret(needs, { waitSeconds, onProgress })
      const old = done.replaced.join(', ')
      const next =
        old === ''
          ? ''
          : `\n${old} still verifies what it signed; in ${VERIFY_DAYS} days: hiring secret retire ${done.replaced[0]}`
      return { json: done, text: `the key ${done.key} is in use, and everything is sealed with it${next}` }
    }),
}

const retireVerb: Verb = {
  name: 'secret retire',
  description:
    'Ends the use of a secret key that was replaced, when nothing is sealed with it and what it signed has expired.',
  args: ['ID'],
  options: {
    now: { description: 'do not wait until what it signed has expired: open pages, cursors and file URLs end' },
  },
  run: input =>
    withSecrets(input, async needs => {
      const done = await retireSecret(needs, argumentAt(input, 0), input.flag('now'))
      const rest = needs.source.path ? ` and no longer in ${needs.source.path}` : '; remove it from SECRET_KEY'
      return { json: done, text: `the key ${done.retired} is retired${rest}` }
    }),
}

export const secretVerbs: readonly Verb[] = [statusVerb, rotateVerb, retireVerb]
