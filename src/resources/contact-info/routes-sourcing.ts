import { type Route, readOne } from '../../kernel/http/route.ts'
import { contactLists, fieldStates } from './rules-sourcing.ts'
import { contactInfoShape } from './shape.ts'
import { revealedValues, sourcedSubject } from './store-sourcing.ts'

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
]
