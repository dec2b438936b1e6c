import { holdSending, readInstallation } from '../kernel/backup/installation.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import type { Verb } from './verb.ts'
import { withStore } from './with-store.ts'

export const sendingVerb: Verb = {
  name: 'sending',
  description:
    'Shows or changes whether this installation sends webhooks and email. A restored store sends nothing until you turn it on.',
  optionalArgs: ['on|off'],
  run: input =>
    withStore(input, async ({ db }) => {
      const [wanted] = input.args
      if (wanted !== undefined && wanted !== 'on' && wanted !== 'off') throw new UserError('sending is on or off')
      if (wanted !== undefined) await db.query(holdSending(wanted === 'off'))
      const { sending_held_at } = await readInstallation(db)
      const state = sending_held_at === null ? 'on' : 'off'
      const changed = wanted === undefined ? '' : '. Restart the service: processes read this when they start'
      return {
        json: { sending: state, held_since: sending_held_at },
        text:
          state === 'on'
            ? `webhooks and email are sent${changed}`
            : `webhooks and email are held since ${sending_held_at}${changed}`,
      }
    }),
}
