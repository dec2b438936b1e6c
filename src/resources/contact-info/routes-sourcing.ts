import { type Route, readOne } from '../../kernel/http/route.ts'
import { emailKey } from '../../kernel/identity.ts'
import { askingOf, resolveHandle } from '../people/actions.ts'
import { contactLists, EXCLUDED_REASON, fieldStates } from './rules-sourcing.ts'
import { contactInfoShape } from './shape.ts'
import { anyUnsubscribed, applicantValues, revealedValues, sourcedSubject } from './store-sourcing.ts'

export const sourcingContactRoutes: readonly Route[] = [
  readOne({
    path: '/sourced-profiles/{profile_handle}/contact-info',
    about: 'Contact details of a sourced profile that the workspace has already revealed.',
    group: 'Sourced profiles',
    scope: 'contact:read',
    params: { profile_handle: 'sourced_profile' },
    shape: contactInfoShape,
    handler: async ({ db, workspace, params: { profile_handle: id } }) => {
      const subject = await db.one(sourcedSubject(workspace, id))
      if (!subject) return undefined
      // whose processing was stopped has no details to read any more
      const values = subject.suppressed ? [] : await db.query(revealedValues(workspace, [id]))
      const lists = contactLists(workspace, values)
      return {
        subject: { object: 'sourced_profile', id },
        ...lists,
        unsubscribed: subject.unsubscribed,
        field_states: fieldStates(lists),
      }
    },
  }),
  readOne({
    path: '/people/{person_handle}/contact-info',
    about: 'Contact details of the applicants and sourced profiles that exactly are this person, each value once.',
    group: 'People',
    scope: 'contact:read',
    params: { person_handle: 'person' },
    shape: contactInfoShape,
    handler: async call => {
      const { db, workspace } = call
      const id = call.params.person_handle
      const person = await resolveHandle(askingOf(call), id)
      if (!person) return undefined
      const exact = person.identifier.kind === 'linkedin_url'
      const idsOf = (object: string) => (exact ? person.matches.filter(m => m.object === object).map(m => m.id) : [])
      const [applicants, profiles] = [idsOf('applicant'), idsOf('sourced_profile')]
      const values = [
        ...(await db.query(applicantValues(workspace, applicants))),
        ...(await db.query(revealedValues(workspace, profiles))),
      ]
      const keys = values.flatMap(v => (v.field === 'email' ? (emailKey(v.value) ?? []) : []))
      const row = await db.one(anyUnsubscribed(workspace, applicants, profiles, keys))
      const excluded = exact ? 0 : person.matches.length
      return {
        subject: { object: 'person', id },
        ...contactLists(workspace, values),
        unsubscribed: row!.unsubscribed,
        excluded_probable_matches: excluded,
        excluded_reason: excluded > 0 ? EXCLUDED_REASON : null,
      }
    },
  }),
]
