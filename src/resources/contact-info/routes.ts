import { type Call, type Route, readOne } from '../../kernel/http/route.ts'
import { emailKey } from '../../kernel/text/person-keys.ts'
import { readConsent } from '../applicants/index.ts'
import { buildResolveContext, exactMatches } from '../people/index.ts'
import { readUnlessStopped } from '../suppressions/index.ts'
import { contactLists, EXCLUDED_REASON, fieldStates, NONE_EXCLUDED } from './rules.ts'
import { contactInfoShape } from './shape.ts'
import { anyUnsubscribed, contactValues, sourcedSubject } from './store.ts'

const valuesOf = (call: Pick<Call, 'db' | 'workspace'>, record: 'applicant' | 'sourced_profile', id: string) =>
  readUnlessStopped(call, record, id, () => call.db.query(contactValues(call.workspace, record, [id])), [])

export const contactInfoRoutes: readonly Route[] = [
  readOne({
    path: '/applicants/{applicant_handle}/contact-info',
    operationId: 'getApplicantContactInfo',
    limited: 'record',
    jobRight: 'contact',
    summary: 'Get the contact details of an applicant',
    description: 'As the applicant gave them. One personal-data unit for each value returned.',
    group: 'Applicants',
    scope: 'contact:read',
    params: { applicant_handle: 'applicant' },
    shape: contactInfoShape,
    handler: async call => {
      const { db, workspace } = call
      const id = call.params.applicant_handle
      const [consent, values] = await Promise.all([readConsent(db, workspace, id), valuesOf(call, 'applicant', id)])
      if (!consent) return undefined
      return {
        subject: { object: 'applicant', id },
        ...contactLists(workspace, values),
        unsubscribed: consent.unsubscribed,
      }
    },
  }),
  readOne({
    path: '/sourced-profiles/{profile_handle}/contact-info',
    operationId: 'getSourcedProfileContactInfo',
    limited: 'closed',
    summary: 'Get the contact details of a sourced profile',
    description: 'Contact details that the workspace has already revealed.',
    group: 'Sourced profiles',
    scope: 'contact:read',
    params: { profile_handle: 'sourced_profile' },
    shape: contactInfoShape,
    handler: async call => {
      const { db, workspace } = call
      const id = call.params.profile_handle
      const subject = await db.one(sourcedSubject(workspace, id))
      if (!subject) return undefined
      const values = await valuesOf(call, 'sourced_profile', id)
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
    operationId: 'getPersonContactInfo',
    limited: 'closed',
    jobRight: 'contact',
    summary: 'Get the contact details of a person',
    description: 'From applicants and sourced profiles that are an exact match. Each value is listed once.',
    group: 'People',
    scope: 'contact:read',
    params: { person_handle: 'person' },
    shape: contactInfoShape,
    handler: async call => {
      const { db, workspace } = call
      const id = call.params.person_handle
      const exact = await exactMatches(buildResolveContext(call), id)
      if (!exact) return undefined
      const { identifier, applicants, sourcedProfiles, excluded } = exact
      const values = [
        ...(await db.query(contactValues(workspace, 'applicant', applicants))),
        ...(await db.query(contactValues(workspace, 'sourced_profile', sourcedProfiles))),
      ]
      // the requested address is always checked, even when no record has it
      const asked = identifier.kind === 'email' ? [identifier.value] : []
      const keys = [...asked, ...values.flatMap(v => (v.field === 'email' ? (emailKey(v.value) ?? []) : []))]
      const row = await db.only(anyUnsubscribed(workspace, applicants, sourcedProfiles, keys))
      return {
        subject: { object: 'person', id },
        ...contactLists(workspace, values),
        unsubscribed: row.unsubscribed,
        excluded_probable_matches: excluded,
        excluded_reason: excluded > 0 ? EXCLUDED_REASON : NONE_EXCLUDED,
      }
    },
  }),
]
