import { LANGUAGE_CODES, LANGUAGES } from '../careers/language.ts'
import { sitePath } from '../careers/visit.ts'
import { textParam } from '../kernel/http/params.ts'
import type { Services } from '../kernel/services/services.ts'
import {
  changeSite,
  LOGO_LIMITS,
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
    handler: async ({ db, session, services }) => toResponse(services, await readSite(db, session.workspaceId)),
  }),
  post({
    path: '/careers-site',
    body: siteChanges(LANGUAGE_CODES),
    handler: async ({ db, session, services, body }) =>
      toResponse(services, await changeSite(db, session.workspaceId, body, LANGUAGE_CODES)),
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
      toResponse(services, await setLogo(db, services.blobs, session.workspaceId, body)),
  }),
  post({
    path: '/careers-site/logo/remove',
    handler: async ({ db, session, services }) => toResponse(services, await removeLogo(db, session.workspaceId)),
  }),
]

function toResponse(services: Services, site: Site): CareersSiteResponse {
  const { workspace_id: _, logo_blob_key: key, logo_mime: __, ...settings } = site
  const url = services.publicUrl + sitePath(site)
  return {
    ...settings,
    logo_version: key === null ? null : key.slice(key.lastIndexOf('/') + 1),
    url,
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
