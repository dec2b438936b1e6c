import { LANGUAGE_CODES, LANGUAGES } from '../careers/language.ts'
import { openLocations } from '../careers/store.ts'
import { sitePath } from '../careers/visit.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { textParam } from '../kernel/http/params.ts'
import type { Services } from '../kernel/services/services.ts'
import { Download } from '../programs/endpoint.ts'
import { fields } from '../programs/fields.ts'
import {
  changeSite,
  LOGO_LIMITS,
  logoNotes,
  readSite,
  removeLogo,
  type Site,
  setLogo,
  siteChanges,
} from '../resources/careers/index.ts'
import { isUnclear } from '../resources/shared/places.ts'
import { file, get, post, postFile } from './program.ts'

const SITE = {
  ...fields('slug', 'earlier_slugs', 'enabled', 'listed', 'url', 'updated_at', 'workspace_name', 'display_name'),
  ...fields('headline', 'introduction_md', 'accent_color', 'logo_version', 'logo_notes', 'website_url'),
  ...fields('privacy_url', 'imprint_url', 'contact_email', 'country', 'unclear_places'),
  /** by language; one without uses the service's own text */
  confirmations: true,
  languages: true,
} as const

export const careersSiteEndpoints = [
  get({
    path: '/careers-site',
    returns: SITE,
    handler: async ({ db, session, services }) => toResponse(services, db, await readSite(db, session.workspaceId)),
  }),
  post({
    path: '/careers-site',
    returns: SITE,
    body: siteChanges(LANGUAGE_CODES),
    handler: async ({ db, session, services, body }) =>
      toResponse(services, db, await changeSite(db, session.workspaceId, body, LANGUAGE_CODES)),
  }),
  file({
    path: '/careers-site/logo',
    query: { v: textParam('`logo_version`, so that the browser shows no earlier one.', 100) },
    // not the public URL, which is a 404 while the site is switched off
    handler: async ({ db, session, services }): Promise<Download | undefined> => {
      const { logo_blob_key: key, logo_mime: mime } = await readSite(db, session.workspaceId)
      const file = key === null ? null : await services.blobs.get(key)
      return file && mime !== null ? new Download('logo', mime, file.stream) : undefined
    },
  }),
  postFile({
    path: '/careers-site/logo',
    // larger than a logo may be, so that the error names the limit of a logo
    maxBytes: 2 * LOGO_LIMITS.bytes,
    returns: SITE,
    handler: async ({ db, session, services, body }) =>
      toResponse(services, db, await setLogo(db, services.blobs, session.workspaceId, body)),
  }),
  post({
    path: '/careers-site/logo/remove',
    returns: SITE,
    handler: async ({ db, session, services }) => toResponse(services, db, await removeLogo(db, session.workspaceId)),
  }),
]

async function toResponse(services: Services, db: Queryable, site: Site) {
  const { logo_blob_key: key, logo_width: width, logo_height: height } = site
  const url = services.publicUrl + sitePath(site)
  const locations = await db.query(openLocations(site.workspace_id))
  return {
    ...site,
    /** changes with the logo; null: none */
    logo_version: key === null ? null : key.slice(key.lastIndexOf('/') + 1),
    /** what people should know about the logo: that it is small, or of a shape that search engines do not show */
    logo_notes: width === null || height === null ? [] : logoNotes({ width, height }),
    url,
    /** locations of open jobs that name no country which is certain: search engines and job boards get none of them */
    unclear_places: locations.map(row => row.location).filter(location => isUnclear(location, site.country)),
    /** those that the site has, with the text that is sent in them unless there is another, as a template */
    languages: LANGUAGES.map(({ language: { code, name }, mail }) => ({
      code,
      name,
      sample_job: mail.sampleJob,
      standard: {
        subject: mail.confirmation.subject('{{company}}', '{{job_title}}'),
        body: [mail.greeting('{{first_name}}'), ...mail.confirmation.body('{{company}}', '{{job_title}}')].join('\n\n'),
      },
    })),
  }
}
