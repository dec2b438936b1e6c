import { COUNTRY_CODES } from '../../contract/countries.ts'
import { ASCII_URL, asUri, httpsUrl } from '../../kernel/http/formats.ts'
import {
  array,
  handleField,
  integer,
  links,
  nullable,
  oneOf,
  type Row,
  shape,
  text,
  time,
  url,
} from '../../kernel/http/shape.ts'
import { field, group } from '../../kernel/record/field.ts'
import { record } from '../../kernel/record/record.ts'
import { clearable, required, trimmed, written } from '../../kernel/record/write.ts'
import { Type } from '../../kernel/schema/types.ts'
import { NAME_LENGTHS, nameFault } from '../../kernel/text/names.ts'

export const PACKAGE_KINDS = [
  'skills_test',
  'cognitive_test',
  'personality_test',
  'video_interview',
  'work_sample',
  'reference_check',
  'background_check',
  'identity_check',
  'other',
] as const
export type PackageKind = (typeof PACKAGE_KINDS)[number]

export const PACKAGE_STATUSES = ['pending', 'active', 'withdrawn'] as const
export const INVITATIONS = ['service', 'vendor'] as const
export const SHARED_VALUES = ['email', 'phone', 'resume'] as const
export type SharedValue = (typeof SHARED_VALUES)[number]

const DEFAULT_DAYS = 14
const MAX_DAYS = 90

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i

/** A DNS name with at least two labels, and not an IP address. */
const isHostName = (text: string): boolean => {
  const labels = text.split('.')
  return labels.length > 1 && labels.every(label => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
}

const hostFault = (given: unknown): string | undefined =>
  typeof given !== 'string' || given === '' || isHostName(given)
    ? undefined
    : 'must be a DNS name such as tests.example.com, without a scheme, a port or a path'

const isLanguageTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

const languageFault = (given: unknown): string | undefined =>
  Array.isArray(given) && given.some(tag => typeof tag === 'string' && !isLanguageTag(tag))
    ? 'must be language tags (BCP 47), such as de or pt-BR'
    : undefined

const countryFault = (given: unknown): string | undefined =>
  Array.isArray(given) && given.some(code => !COUNTRY_CODES.includes(code))
    ? 'must be country codes (ISO 3166-1) of two upper-case letters, such as DE'
    : undefined

/** Who carries out an order. */
export const vendorGroup = () =>
  group(
    {
      id: field(text('The handle of the vendor.'), { column: 'vendor_id' }),
      name: field(text(), { column: 'vendor_name' }),
    },
    { description: 'The vendor: a key, or an installed app.' },
  )

/** Distinct values of a list. */
const listOf = <const V extends string>(values: readonly V[]) =>
  written(
    Type.Optional(Type.Union([Type.Array(Type.Enum([...values]), { maxItems: values.length }), Type.Null()])),
    [] as readonly V[],
    given => [...new Set(given)] as V[],
  )

const languages = {
  ...written(
    Type.Optional(
      Type.Union([Type.Array(Type.String({ minLength: 1, maxLength: 35 }), { maxItems: 100 }), Type.Null()]),
    ),
    [] as readonly string[],
    given => [...new Set(given.map(tag => Intl.getCanonicalLocales(tag)[0] ?? tag))],
  ),
  fault: languageFault,
}

const countries = {
  ...written(
    Type.Optional(Type.Union([Type.Array(Type.String(), { maxItems: COUNTRY_CODES.length }), Type.Null()])),
    [] as readonly string[],
    given => [...new Set(given)],
  ),
  fault: countryFault,
}

const oneToMany = trimmed(Type.String({ minLength: 1 }), {
  maxLength: NAME_LENGTHS.package,
  message: `must be 1 to ${NAME_LENGTHS.package} characters`,
})

/** The name is in emails that the service sends in the name of the company. */
const packageName = {
  ...oneToMany,
  fault: (given: unknown): string | undefined =>
    oneToMany.fault?.(given) ?? (typeof given === 'string' ? nameFault(given, 'package') : undefined),
}

export const packageRecord = record(
  'packages',
  { person: 'none', erasure: 'contains no candidate data' },
  {
    id: handleField('package'),
    workspace_id: handleField('workspace'),
    vendor: vendorGroup(),
    external_id: field(text(), {
      write: required(Type.String({ minLength: 1, maxLength: 200 })),
      description: 'Your id of the package. Publishing it again under the same id changes it.',
    }),
    kind: field(oneOf(PACKAGE_KINDS), { write: required(Type.Enum([...PACKAGE_KINDS])) }),
    name: field(text(), {
      write: packageName,
      description: 'Candidates and recruiters read it: one line, without a link.',
    }),
    description: field(nullable(text()), { write: clearable.text(2000) }),
    duration_minutes: field(nullable(integer()), {
      write: clearable.integer(1, 10_080),
      description: 'How long a candidate needs.',
    }),
    languages: field(array(text()), {
      write: languages,
      description: 'Language tags (BCP 47), such as `de` or `pt-BR`.',
    }),
    countries: field(array(text()), {
      write: countries,
      description: 'Countries of candidates (ISO 3166-1, two letters). None: all countries.',
    }),
    info_url: field(nullable(url()), { write: clearable.url(), description: `A page about the package. ${ASCII_URL}` }),
    privacy_url: field(url(), {
      write: written(httpsUrl({ maxLength: 2048 }), undefined as never as string, asUri),
      description: `Your privacy notice, which candidates are shown. ${ASCII_URL}`,
    }),
    invitation: field(oneOf(INVITATIONS), {
      write: required(Type.Enum([...INVITATIONS])),
      description: 'Who sends the invitation. If the service does, you supply the link when you accept an order.',
    }),
    candidate_host: field(nullable(text()), {
      write: {
        ...written(
          Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 253 }), Type.Null()])),
          null as string | null,
          given => given.toLowerCase(),
        ),
        fault: hostFault,
      },
      description: 'The DNS name of the links that candidates open. Required if the service invites, else null.',
    }),
    shares: field(array(oneOf(SHARED_VALUES)), {
      write: listOf(SHARED_VALUES),
      description: 'What you can read of the candidate of an open order, besides the name.',
    }),
    completion_days: field(integer(), {
      write: clearableDays(),
      description: `Days from acceptance to the due date, 1 to ${MAX_DAYS}. Default ${DEFAULT_DAYS}.`,
    }),
    status: oneOf(PACKAGE_STATUSES),
    created_at: time(),
    updated_at: time(),
    links: links({ self: '/packages/{id}' }),
  },
)

function clearableDays() {
  return written(
    Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: MAX_DAYS }), Type.Null()])),
    DEFAULT_DAYS,
    given => given,
  )
}

export const packageShape = shape('package', 'A test or check that a vendor offers.', packageRecord.fields, {
  resource: { name: 'packages', scope: 'orders:read' },
})

export type PackageRow = Row<typeof packageShape>
