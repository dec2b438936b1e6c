import { COUNTRY_CODES } from '../../contract/countries.ts'
import { TEMPLATE_VARIABLES } from '../../contract/mail-template.ts'
import { getOrCreate } from '../../kernel/async/get-or-create.ts'
import { withRules } from '../../kernel/http/body.ts'
import { closed } from '../../kernel/http/closed.ts'
import { type InputFault, printable } from '../../kernel/http/faults.ts'
import { httpsUrl } from '../../kernel/http/formats.ts'
import { isAddress } from '../../kernel/mail/mail.ts'
import { type Static, type TSchema, Type } from '../../kernel/schema/types.ts'
import { nameFault } from '../../kernel/text/names.ts'
import { emailKey } from '../../kernel/text/person-keys.ts'
import { slugify } from '../../kernel/text/slug.ts'
import { isOneLine, ONE_LINE, templateFault } from '../../kernel/text/template-fault.ts'

/** A slug of the careers site: what the table accepts. */
const SITE_SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const SITE_SLUG_LENGTH = 60

/** A workspace keeps every slug it had: one that changes its own again and again must not take them from others. */
export const MAX_SLUGS = 20

/** Numbers and slugs that were taken leave this many characters for the name. */
const NAME_LENGTH = 48

/** The slug of a company's name in plain letters; a name in another script gets a neutral one. */
export function siteSlug(name: string): string {
  const plain = slugify(name, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_LENGTH)
    .replaceAll(/^-|-$/g, '')
  return plain || 'company'
}

const HEADLINE_LENGTH = 200
const INTRODUCTION_LENGTH = 20_000
const URL_LENGTH = 2_048
const SUBJECT_LENGTH = 200
const MAIL_LENGTH = 10_000

const orNone = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))

const template = Type.Object(
  {
    subject: Type.String({ minLength: 1, maxLength: SUBJECT_LENGTH }),
    body: Type.String({ minLength: 1, maxLength: MAIL_LENGTH }),
  },
  closed,
)

const changesIn = (languages: readonly string[]) =>
  withRules(
    Type.Object(
      {
        slug: Type.Optional(Type.String()),
        enabled: Type.Optional(Type.Boolean()),
        display_name: orNone(Type.String()),
        headline: orNone(Type.String({ maxLength: HEADLINE_LENGTH })),
        introduction_md: orNone(Type.String({ maxLength: INTRODUCTION_LENGTH })),
        accent_color: orNone(Type.String()),
        website_url: orNone(httpsUrl({ maxLength: URL_LENGTH })),
        privacy_url: orNone(httpsUrl({ maxLength: URL_LENGTH })),
        imprint_url: orNone(httpsUrl({ maxLength: URL_LENGTH })),
        listed: Type.Optional(Type.Boolean()),
        contact_email: orNone(Type.String()),
        country: orNone(Type.String()),
        confirmations: Type.Optional(
          Type.Object(Object.fromEntries(languages.map(language => [language, orNone(template)])), closed),
        ),
      },
      { ...closed, minProperties: 1 },
    ),
    value => [...ruleFaults(value as Readonly<Record<string, unknown>>)],
  )

const schemas = new Map<string, ReturnType<typeof changesIn>>()

/**
 * Changes of a site. What is left out stays as it is; null clears it. Templates are possible in the languages that the
 * site has: others would never be sent.
 */
export const siteChanges = (languages: readonly string[]) =>
  getOrCreate(schemas, languages.join(), () => changesIn(languages))

export type SiteChanges = Static<ReturnType<typeof changesIn>>

function* ruleFaults(given: Readonly<Record<string, unknown>>): Generator<InputFault> {
  const {
    slug,
    display_name: name,
    headline,
    accent_color: color,
    contact_email: contact,
    country,
    confirmations,
  } = given
  if (typeof slug === 'string' && (slug.length > SITE_SLUG_LENGTH || !SITE_SLUG.test(slug)))
    yield {
      param: 'slug',
      message: `must be 1 to ${SITE_SLUG_LENGTH} of the letters a to z, digits and single hyphens between them`,
    }
  if (typeof name === 'string') {
    const message = nameFault(name, 'workspace')
    if (message !== undefined) yield { param: 'display_name', message }
  }
  if (typeof headline === 'string' && !isOneLine(headline)) yield { param: 'headline', message: ONE_LINE }
  if (typeof color === 'string' && !/^#[0-9a-f]{6}$/i.test(color))
    yield { param: 'accent_color', message: 'must be a color in the form #1a2b3c' }
  if (typeof contact === 'string' && (emailKey(contact) === undefined || !isAddress(contact.trim())))
    yield { param: 'contact_email', message: 'must be an email address' }
  if (typeof country === 'string' && !COUNTRY_CODES.includes(country.toUpperCase()))
    yield { param: 'country', message: 'must be the two letters of a country in ISO 3166-1, such as DE' }
  if (typeof confirmations !== 'object' || confirmations === null) return
  for (const [language, texts] of Object.entries(confirmations)) {
    for (const [part, text] of Object.entries(texts ?? {})) {
      if (typeof text !== 'string') continue
      const message = templateFault(text, { variables: TEMPLATE_VARIABLES, oneLine: part === 'subject' })
      if (message !== undefined) yield { param: `confirmations.${printable(language)}.${printable(part)}`, message }
    }
  }
}

/** The path of a site. */
export const sitePathOf = (slug: string): string => `/careers/${slug}`

/** The path of a job below that of its site. The slug of a job may have letters of any script. */
export const jobBelow = (slug: string): string => `/jobs/${encodeURIComponent(slug)}`
