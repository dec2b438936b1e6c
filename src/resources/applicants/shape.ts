import { DETAIL_LENGTHS } from '../../contract/limits.ts'
import { describedAs } from '../../kernel/http/body.ts'
import {
  array,
  boolean,
  handleField,
  integer,
  links,
  nullable,
  object,
  oneOf,
  type Row,
  shape,
  text,
  time,
  url,
  type ValueOf,
} from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'
import { record, type Written } from '../../kernel/record/record.ts'
import { written } from '../../kernel/record/write.ts'
import { type TSchema, Type } from '../../kernel/schema/types.ts'
import { provenance } from '../shared/provenance.ts'

const externalRef = object({
  system: text(),
  type: nullable(text()),
  id: text(),
  connection_id: nullable(text()),
  link_origin: nullable(text()),
  last_synced_at: nullable(time()),
})
export type ExternalRef = ValueOf<typeof externalRef>

/** A detail of a person: trimmed, and none if it is blank. */
const detail = <S extends TSchema<string>>(schema: S) =>
  written(schema, null as string | null, given => given.trim() || null)

/** A detail that no request body has; edits and imports of the product set it. */
const productDetail = () => detail(Type.String())

const name = () => detail(Type.String({ minLength: 1, maxLength: DETAIL_LENGTHS.name, description: 'Not blank.' }))
const emailAddress = describedAs(Type.String({ minLength: 1, maxLength: DETAIL_LENGTHS.email }), { format: 'email' })
const phoneNumber = Type.String({
  minLength: 1,
  maxLength: DETAIL_LENGTHS.phone,
  description: 'Digits, spaces and + ( ) . -, with at least one digit.',
})
const linkedinUrl = Type.String({
  minLength: 1,
  maxLength: DETAIL_LENGTHS.url,
  description: 'An https URL on linkedin.com.',
})

export const applicantRecord = record(
  'applicants',
  {
    person: 'erased',
    erasure: 'the row is deleted',
    stored: {
      first_name: field(nullable(text()), { write: name() }),
      last_name: field(nullable(text()), { write: name() }),
      email: field(nullable(text()), { write: detail(emailAddress) }),
      email_key: nullable(text()),
      phone: field(nullable(text()), { write: detail(Type.Optional(phoneNumber)) }),
      linkedin_key: nullable(text()),
      origin: oneOf(['applicant', 'ats_import', 'sourced']),
      acquisition: text(),
      provider: nullable(text()),
      consent_basis: oneOf(['candidate_submitted', 'customer_provided', 'legitimate_interest_sourcing']),
      first_seen_at: time(),
      last_seen_at: time(),
      unsubscribed_at: nullable(time()),
      suppressed_at: nullable(time()),
      application_count: integer(),
      unproved: boolean(),
    },
  },
  {
    id: field(handleField('applicant'), { person: 'none' }),
    workspace_id: field(handleField('workspace'), { person: 'none' }),
    full_name: nullable(text()),
    location: field(nullable(text()), { write: productDetail() }),
    linkedin_url: field(nullable(url()), { write: detail(Type.Optional(linkedinUrl)) }),
    github_url: field(nullable(url()), { write: productDetail() }),
    portfolio_url: field(nullable(url()), { write: productDetail() }),
    created_at: field(time(), { person: 'none' }),
    updated_at: field(time(), { person: 'none' }),
    provenance: field(provenance, { computed: true }),
    external_refs: field(array(externalRef), {
      write: written({} as TSchema<ExternalRef[]>, [] as ExternalRef[], given => given), // no request body has it
      description:
        'The same person in an ATS. Match on `system` and `id`. Empty for people who applied; this version does not import from an ATS, so only the demo has some.',
    }),
    links: links({
      self: '/applicants/{id}',
      applications: '/applicants/{id}/applications',
      resumes: '/applicants/{id}/resumes',
      contact_info: '/applicants/{id}/contact-info',
    }),
  },
)

export const applicantShape = shape(
  'applicant',
  'A person who applied. Contact details have their own endpoint.',
  applicantRecord.fields,
  { resource: { name: 'applicants', scope: 'applicants:read' } },
)

export type ApplicantRow = Row<typeof applicantShape>

/** What edits and imports write, under the names of the columns. */
export type ApplicantFields = Written<typeof applicantRecord>
