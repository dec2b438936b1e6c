import { type Route, readOne } from '../../kernel/http/route.ts'
import { applicantConsent } from '../applicants/store.ts'
import { contactInfoShape } from './shape.ts'
import { type ContactValue, contactValuesOf } from './store.ts'

export const contactInfoRoutes: readonly Route[] = [
  readOne({
    path: '/applicants/{applicant_handle}/contact-info',
    about: 'Contact details that the applicant gave. One personal-data unit for each value returned.',
    group: 'Applicants',
    scope: 'contact:read',
    params: { applicant_handle: 'applicant' },
    shape: contactInfoShape,
    errors: ['personal_data_quota_exceeded'],
    handler: async ({ db, workspace, params }) => {
      const id = params.applicant_handle
      const applicant = await db.one(applicantConsent(workspace, id))
      if (!applicant) return undefined
      // whose processing was stopped has no details to read any more
      const values = applicant.suppressed ? [] : await db.query(contactValuesOf(workspace, id))
      const subject = { object: 'applicant', id }
      const of = (field: ContactValue['field']) =>
        values
          .filter(value => value.field === field)
          .map(value => ({
            ...value,
            source: { ...subject, workspace_id: workspace },
            licence: { redistributable: false },
          }))
      return { subject, emails: of('email'), phones: of('phone'), unsubscribed: applicant.unsubscribed }
    },
  }),
]
