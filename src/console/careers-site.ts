import { isUnclear } from '../careers/job/places.ts'
import { LANGUAGE_CODES, LANGUAGES } from '../careers/language.ts'
import { openLocations } from '../careers/store.ts'
import { sitePath } from '../careers/visit.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { textParam } from '../kernel/http/params.ts'
import type { Services } from '../kernel/services/services.ts'
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
import { Download, type Endpoint, get, post, postFile } from '../sign-in/endpoints/endpoint.ts'
import type { CareersSiteResponse } from './api-types/workspace.ts'

export const careersSiteEndpoints: readonly Endpoint[] = [
  get({
    path: '/careers-site',
    handler: async ({ db, session, services }) => toResponse(services, db, await readSite(db, session.workspaceId)),
  }),
  post({
    path: '/careers-site',
    body: siteChanges(LANGUAGE_CODES),
    handler: async ({ db, session, services, body }) =>
      toResponse(services, db, await changeSite(db, session.workspaceId, body, LANGUAGE_CODES)),
  }),
  get({
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
    handler: async ({ db, session, services, body }) =>
      toResponse(services, db, await setLogo(db, services.blobs, session.workspaceId, body)),
  }),
  post({
    path: '/careers-site/logo/remove',
    handler: async ({ db, session, services }) => toResponse(services, db, await removeLogo(db, session.workspaceId)),
  }),
]

async function toResponse(services: Services, db: Queryable, site: Site): Promise<CareersSiteResponse> {
  const {
    workspace_id: workspace,
    logo_blob_key: key,
    logo_mime: _,
    logo_width: width,
    logo_height: height,
    ...settings
  } = site
  const url = services.publicUrl + sitePath(site)
  const locations = await db.query(openLocations(workspace))
  return {
    ...settings,
    logo_version: key === null ? null : key.slice(key.lastIndexOf('/') + 1),
    logo_notes: width === null || height === null ? [] : logoNotes({ width, height }),
    url,
    unclear_places: locations.map(row => row.location).filter(location => isUnclear(location, site.country)),
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
