import { open } from 'node:fs/promises'
import { LANGUAGE_CODES } from '../careers/language.ts'
import { sitePath } from '../careers/visit.ts'
import { ApiError } from '../kernel/errors/api-error.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import type { Services } from '../kernel/services/services.ts'
import {
  changeSite,
  LOGO_LIMITS,
  readSite,
  removeLogo,
  type Site,
  type SiteChanges,
  setLogo,
} from '../resources/careers/index.ts'
import { argumentAt, onOrOff } from './read-option.ts'
import { table, type Verb, type VerbInput, type VerbOutput } from './verb.ts'
import { withStore } from './with-store.ts'

/** Options that are fields: `none` clears one. */
const TEXTS = {
  name: 'display_name',
  headline: 'headline',
  color: 'accent_color',
  website: 'website_url',
  privacy: 'privacy_url',
  imprint: 'imprint_url',
  contact: 'contact_email',
  country: 'country',
} as const satisfies Readonly<Record<string, keyof SiteChanges>>

export const careersVerbs: readonly Verb[] = [
  {
    name: 'careers show',
    description: 'Shows the careers site of a workspace.',
    args: ['WORKSPACE'],
    run: input => withStore(input, async ({ db }) => shown(await readSite(db, argumentAt(input, 0)))),
  },
  {
    name: 'careers set',
    description: 'Changes the careers site of a workspace. The value none clears a setting.',
    args: ['WORKSPACE'],
    options: {
      enabled: { value: 'on|off', description: 'whether the site is public' },
      slug: { value: 'S', description: 'name of the site in its URL, /careers/S' },
      name: { value: 'N', description: 'name of the company; none: that of the workspace' },
      headline: { value: 'T', description: 'one line above the jobs, up to 200 characters' },
      introduction: { value: 'FILE', description: 'Markdown file with the introduction, up to 20,000 characters' },
      color: { value: '#RRGGBB', description: 'accent color' },
      logo: { value: 'FILE', description: 'PNG, JPEG or WebP, at most 512 KB and 2000 × 2000 pixels' },
      website: { value: 'URL', description: "the company's website" },
      privacy: { value: 'URL', description: "the company's privacy notice" },
      imprint: { value: 'URL', description: "the company's imprint" },
      listed: { value: 'on|off', description: 'whether the sitemap of the installation names the site' },
      contact: {
        value: 'EMAIL',
        description: 'email address that candidates can write to; replies to emails go there',
      },
      country: { value: 'CC', description: 'two letters of the country of remote jobs without a location, such as DE' },
      confirmation: {
        value: 'LANG=FILE',
        many: true,
        description: `email after an application (${LANGUAGE_CODES.join(', ')}): subject, empty line, text; LANG=none: the service's own`,
      },
    },
    run: input =>
      withStore(input, async ({ db, keyring }) => {
        const workspace = argumentAt(input, 0)
        const changes = await changesOf(input)
        const logo = input.option('logo')
        if (Object.keys(changes).length === 0 && logo === undefined)
          throw new UserError('nothing to change; see hiring careers set --help')
        const file = logo === undefined || logo === 'none' ? undefined : await read(logo, 2 * LOGO_LIMITS.bytes)
        return inLines(async () => {
          let site = await readSite(db, workspace)
          if (Object.keys(changes).length > 0) site = await changeSite(db, workspace, changes, LANGUAGE_CODES)
          if (file) site = await storeLogo(input, { db, keyring }, workspace, file)
          else if (logo === 'none') site = await removeLogo(db, workspace)
          return shown(site)
        })
      }),
  },
]

async function storeLogo(
  input: VerbInput,
  { db, keyring }: Pick<Services, 'db' | 'keyring'>,
  workspace: string,
  file: Buffer,
): Promise<Site> {
  const { openBlobs } = await import('../kernel/services/open-services.ts')
  const config = input.config()
  const blobs = await openBlobs(config, { db, keyring, publicUrl: config.publicUrl ?? '' })
  try {
    return await setLogo(db, blobs, workspace, file)
  } finally {
    await blobs.close()
  }
}

async function changesOf(input: VerbInput): Promise<SiteChanges> {
  const enabled = onOrOff(input, 'enabled')
  const listed = onOrOff(input, 'listed')
  const slug = input.option('slug')
  const introduction = input.option('introduction')
  const texts = Object.entries(TEXTS).flatMap(([option, field]) => {
    const text = input.option(option)
    return text === undefined ? [] : [[field, text === 'none' ? null : text]]
  })
  const templates = await Promise.all(input.options('confirmation').map(templateOf))
  return {
    ...(enabled === undefined ? {} : { enabled }),
    ...(listed === undefined ? {} : { listed }),
    ...(slug === undefined ? {} : { slug }),
    ...(introduction === undefined ? {} : { introduction_md: await textOf(introduction) }),
    ...Object.fromEntries(texts),
    ...(templates.length === 0 ? {} : { confirmations: Object.fromEntries(templates) }),
  }
}

/** `de=mail.txt`: its first line is the subject. */
async function templateOf(option: string): Promise<[string, { subject: string; body: string } | null]> {
  const [, language, file] = /^([a-z]+)=(.+)$/.exec(option) ?? []
  if (!language || !file) throw new UserError('--confirmation must be LANG=FILE, such as de=mail.txt')
  const text = await textOf(file)
  if (text === null) return [language, null]
  const [subject = '', ...body] = text.replaceAll('\r\n', '\n').split('\n')
  return [language, { subject, body: body.join('\n').trim() }]
}

/** More than any text of the site has; a wrong file is not read to its end. */
const TEXT_BYTES = 256 * 1024

const textOf = async (file: string): Promise<string | null> =>
  file === 'none' ? null : (await read(file, TEXT_BYTES)).toString('utf8')

async function read(path: string, most: number): Promise<Buffer> {
  const file = await open(path).catch((error: Error) => {
    throw new UserError(`cannot read ${path}: ${error.message}`)
  })
  try {
    const { size } = await file.stat()
    if (size > most) throw new UserError(`${path} has ${size} bytes, more than can be used`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** Every fault of the settings, not just the first. */
async function inLines<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details.errors) throw error
    throw new UserError(error.details.errors.map(({ param, message }) => `${param} ${message}`).join('; '))
  }
}

const logoOf = ({ logo_mime, logo_width, logo_height }: Site): string =>
  logo_mime === null ? 'none' : logo_width === null ? logo_mime : `${logo_mime}, ${logo_width} × ${logo_height} pixels`

function shown(site: Site): VerbOutput {
  const { logo_blob_key: _, ...settings } = site
  const rows = [
    ['path', sitePath(site)],
    ['earlier', site.earlier_slugs.join(', ') || 'none'],
    ['enabled', site.enabled ? 'on' : 'off'],
    ['name', site.display_name ?? `none (${site.workspace_name})`],
    ['headline', site.headline ?? 'none'],
    ['introduction', site.introduction_md === null ? 'none' : `${site.introduction_md.length} characters`],
    ['color', site.accent_color ?? 'none'],
    ['logo', logoOf(site)],
    ['website', site.website_url ?? 'none'],
    ['privacy', site.privacy_url ?? 'none'],
    ['imprint', site.imprint_url ?? 'none'],
    ['listed', site.listed ? 'on' : 'off'],
    ['contact', site.contact_email ?? 'none'],
    ['country', site.country ?? 'none'],
    ['confirmation', Object.keys(site.confirmations).join(', ') || 'none'],
  ]
  return { json: { ...settings, path: sitePath(site) }, text: table(rows) }
}
