import { UserError } from '../../kernel/errors/user-error.ts'
import { lineFault } from '../../kernel/text/names.ts'
import { PRODUCT } from '../../pages/page.ts'
import type { Csrf } from '../../programs/policy.ts'
import {
  addPasskey,
  authenticationOptions,
  markSessionProved,
  passkeySite,
  readFactors,
  registrationOptions,
  removePasskey,
  usePasskey,
} from '../../resources/second-factors/index.ts'
import { type Posted, page, readReturnTo, type ShownPage, type SignInVisit } from '../area.ts'
import { browserInWords, waitInWords } from '../describe.ts'
import { enter, waitHeader } from '../enter.ts'
import { showSignIn } from '../form-page.ts'
import { chooseLandingPage } from '../landing-page.ts'
import { attempt } from '../limits.ts'
import { whoOf } from '../sessions.ts'
import { membersById } from '../store.ts'
import { FACTOR_STEP_PATH, FACTORS_PATH } from './paths.ts'
import {
  CHANGE,
  confirmSignedOut,
  pendingSignIn,
  showAdded,
  showConfirm,
  showFactors,
  showStep,
  withNotice,
} from './routes.ts'

const NOT_ACCEPTED =
  'The passkey was not accepted. It may have been removed from the account, or the page was open for too long. Try again, or sign in another way.'
const MAX_NAME = 60

type Person = ReturnType<typeof whoOf>

/** The challenge for a signature of the person of a visit, or of anyone. */
const optionsPage = (
  path: string,
  csrf: Csrf,
  person: 'anyone' | ((visit: Posted) => Person | undefined | Promise<Person | undefined>),
) =>
  page({
    path,
    session: 'optional',
    csrf,
    limit: attempt('passkey', ({ address }: SignInVisit) => ({ account: '', address })),
    refuse: (_, { wait }) => (wait === 0 ? undefined : tooMany(wait)),
    submit: async visit => {
      const { db, publicUrl } = visit.services
      const site = passkeySite(publicUrl)
      const who = person === 'anyone' ? undefined : await person(visit)
      if (!site || (!who && person !== 'anyone'))
        return { json: { message: 'Reload the page and try again.' }, status: 401 }
      return { json: await authenticationOptions(db, site, who) }
    },
  })

const tooMany = (wait: number): ShownPage => ({
  json: { message: `Too many attempts. Try again in ${waitInWords(wait)}.` },
  status: 429,
  headers: waitHeader(wait),
})

/** Passkeys: as a sign-in by itself, as the second factor, and their list in the account. */
export const passkeyPages = [
  optionsPage('/sign-in/passkey/options', 'origin', 'anyone'),
  page({
    path: '/sign-in/passkey',
    session: 'optional',
    csrf: 'origin',
    submit: async visit => {
      const by = await usedPasskey(visit)
      const members = by ? await visit.services.db.query(membersById([by.user])) : []
      if (by && members.length > 0) {
        const entered = await enter(visit, { members, method: 'passkey', factor: 'passkey', by })
        if (entered) return entered
      }
      return showSignIn(visit, { status: 401, fault: NOT_ACCEPTED })
    },
  }),
  optionsPage(`${FACTOR_STEP_PATH}/options`, 'origin', async visit => {
    const pending = await pendingSignIn(visit)
    return pending && { workspace: pending.member.workspace_id, user: pending.member.id }
  }),
  page({
    path: `${FACTOR_STEP_PATH}/passkey`,
    session: 'optional',
    csrf: 'origin',
    submit: async visit => {
      const pending = await pendingSignIn(visit)
      if (!pending) return { to: '/sign-in' }
      const { proof, member } = pending
      const used = await usedPasskey(visit, { workspace: member.workspace_id, user: member.id })
      if (!used) return showStep(visit, member, { status: 401, fault: NOT_ACCEPTED })
      return (await enter(visit, { ...proof, factor: 'passkey' })) ?? { to: '/sign-in' }
    },
  }),
  optionsPage('/account/confirm/options', 'session', ({ session }) => session && whoOf(session)),
  page({
    path: '/account/confirm/passkey',
    session: 'needed',
    csrf: 'session',
    refuse: confirmSignedOut,
    submit: async visit => {
      const { services, session } = visit
      const { db } = services
      if (!(await usedPasskey(visit, whoOf(session))))
        return showConfirm(visit, await readFactors(db, whoOf(session)), { status: 401, fault: NOT_ACCEPTED })
      await db.query(markSessionProved(whoOf(session), session.id, 'passkey'))
      return { to: readReturnTo(visit) ?? chooseLandingPage(session) }
    },
  }),
  page({
    path: `${FACTORS_PATH}/passkeys/options`,
    session: 'optional',
    csrf: 'session',
    submit: async ({ services, session }) => {
      const site = passkeySite(services.publicUrl)
      if (!session || !site) return { json: { message: 'You are signed out. Reload the page.' }, status: 401 }
      const person = { email: session.email, name: session.name, product: PRODUCT }
      return { json: await registrationOptions(services.db, whoOf(session), site, person) }
    },
  }),
  page({
    ...CHANGE,
    path: `${FACTORS_PATH}/passkeys`,
    submit: async visit => {
      const { services, session, form } = visit
      const name = passkeyName(visit)
      const wrong = lineFault(name)
      if (wrong !== undefined) return showFactors(visit, `The name of the passkey ${wrong}.`)
      const site = passkeySite(services.publicUrl)
      const given = { credential: form.get('credential') ?? '', name, session: session.id }
      try {
        const added = site && (await addPasskey(services.db, whoOf(session), site, given))
        if (!added)
          return await showFactors(visit, 'The passkey was not added: the page was open for too long. Try again.')
        return withNotice(showAdded(visit, added.recoveryCodes), services, session, 'passkey_added')
      } catch (error) {
        if (error instanceof UserError) return showFactors(visit, `Not added: ${error.message}.`)
        throw error
      }
    },
  }),
  page({
    ...CHANGE,
    path: `${FACTORS_PATH}/passkeys/remove`,
    submit: async ({ services, session, form }) => {
      const removed = await removePasskey(services.db, whoOf(session), form.get('passkey') ?? '', session.id)
      return withNotice({ to: FACTORS_PATH }, services, session, removed ? 'passkey_removed' : undefined)
    },
  }),
]

const passkeyName = ({ form, request }: Posted): string =>
  (form.get('name') ?? '').trim().slice(0, MAX_NAME) || browserInWords(request.headers['user-agent'] ?? null)

const usedPasskey = async ({ services, form }: Posted, who?: Person) => {
  const site = passkeySite(services.publicUrl)
  return site && usePasskey(services.db, site, form.get('credential') ?? '', who)
}
