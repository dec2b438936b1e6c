import { API_LIMITS } from '../../contract/limits.ts'
import { fail, invalid } from '../../kernel/errors/api-error.ts'
import { closed } from '../../kernel/http/closed.ts'
import { bodyInstant, bodyTime } from '../../kernel/http/formats.ts'
import { BY_UPDATED } from '../../kernel/http/list.ts'
import { oneOfParam } from '../../kernel/http/params.ts'
import { HandlerResponse, type Route, readOne, readPage, type WriteCall, writeOne } from '../../kernel/http/route.ts'
import { describeInput } from '../../kernel/record/write.ts'
import { Type } from '../../kernel/schema/types.ts'
import { confirmDeletion, endInstallation, knowsClientSecret, rotateInstallationKey } from './actions.ts'
import { INSTALLATION_STATUSES, installationKeyShape, installationShape } from './shape.ts'
import { type InstallationRow, installationById, installationsOfApp } from './store.ts'

const group = 'Installations'

const params = { installation_handle: 'installation' } as const

const clientSecret = () =>
  describeInput(Type.String({ minLength: 1, maxLength: 200 }), 'A secret of the app. The key alone is not enough.')

const toRow = (row: InstallationRow) => ({
  ...row,
  app: { id: row.app_id, name: row.app_name },
})

/** Its own installation, for a caller who also knows a secret of the app. undefined: it is another one. */
async function ownInstallation({
  tx,
  workspace,
  caller,
  params: { installation_handle: id },
  body,
}: WriteCall<{ installation_handle: string }, unknown, { client_secret: string }>) {
  if (caller.installation?.id !== id) return undefined
  if (!(await knowsClientSecret(tx, caller.installation.appId, body.client_secret)))
    fail('unauthenticated', { message: 'client_secret is not a secret of the app.' })
  return tx.one(installationById(workspace, id))
}

export const installationRoutes: readonly Route[] = [
  readPage({
    path: '/installations',
    operationId: 'listInstallations',
    limited: 'keys',
    tool: { leftOut: 'is for a token of an installable app, which is no key' },
    summary: 'List the installations of an app',
    description:
      'In every workspace, most recently updated first. Needs a token of the app itself (`client_credentials`).',
    group,
    scope: 'installations:manage',
    workspace: 'any',
    query: { status: oneOfParam('Only installations with this status.', INSTALLATION_STATUSES) },
    shape: installationShape,
    order: BY_UPDATED,
    handler: async ({ db, caller, query, page }) =>
      caller.ownTokenOf === undefined
        ? []
        : (await db.query(installationsOfApp(caller.ownTokenOf, query.status, page))).map(toRow),
  }),
  readOne({
    path: '/installations/{installation_handle}',
    operationId: 'getInstallation',
    limited: 'keys',
    tool: { leftOut: 'says nothing about the data of a workspace' },
    summary: 'Get the installation of the calling key',
    description: 'A key reads its own installation only.',
    group,
    scope: 'any key',
    params,
    shape: installationShape,
    handler: async ({ db, workspace, caller, params: { installation_handle: id } }) => {
      const row = caller.installation?.id === id ? await db.one(installationById(workspace, id)) : undefined
      return row && toRow(row)
    },
  }),
  writeOne({
    path: '/installations/{installation_handle}/rotate-key',
    operationId: 'rotateInstallationKey',
    limited: 'keys',
    tool: { leftOut: 'issues a secret that models must not see' },
    summary: 'Rotate the key of an installation',
    description:
      'Needs the key of the installation and a secret of the app. The previous secret of the key works until the overlap ends.',
    group,
    scope: 'any key',
    params,
    shape: installationKeyShape,
    body: Type.Object(
      {
        client_secret: clientSecret(),
        overlap_hours: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: API_LIMITS.keyRotationMaxOverlapHours,
            default: API_LIMITS.keyRotationOverlapHours,
          }),
        ),
      },
      closed,
    ),
    handler: async call => {
      const row = await ownInstallation(call)
      if (!row) return undefined
      const { tx, caller, body } = call
      const overlap = body.overlap_hours ?? API_LIMITS.keyRotationOverlapHours
      const key = await rotateInstallationKey(tx, row, caller.keyId, overlap)
      const shown = {
        installation_id: row.id,
        credential_id: key.id,
        access_token: key.secret as string | null,
        previous_secret_expires_at: key.previous_secret_expires_at,
      }
      return new HandlerResponse(shown, 200, { replay: { ...shown, access_token: null } })
    },
  }),
  writeOne({
    path: '/installations/{installation_handle}/uninstall',
    operationId: 'uninstallApp',
    limited: 'keys',
    tool: { leftOut: 'ends the key that calls it' },
    summary: 'Uninstall the app from the workspace',
    description:
      'Needs the key of the installation and a secret of the app. The key ends with this call. Delete your copies before `delete_by`, and confirm it.',
    group,
    scope: 'any key',
    params,
    shape: installationShape,
    body: Type.Object({ client_secret: clientSecret() }, closed),
    handler: async call => {
      const row = await ownInstallation(call)
      return row && toRow(await endInstallation(call.tx, row, { by: 'app', user: null }))
    },
  }),
  writeOne({
    path: '/installations/{installation_handle}/confirm-deletion',
    operationId: 'confirmDeletion',
    limited: 'keys',
    tool: { leftOut: 'is for a token of an installable app, which is no key' },
    summary: 'Confirm that you deleted the data of an ended installation',
    description:
      'Needs a token of the app itself (`client_credentials`). The console of the workspace shows the confirmation; the first one counts.',
    group,
    scope: 'installations:manage',
    workspace: 'any',
    write: false,
    params,
    shape: installationShape,
    body: Type.Object({ deleted_at: describeInput(bodyTime(), 'When you deleted your copies.') }, closed),
    handler: async ({ tx, caller, params: { installation_handle: id }, body, now }) => {
      const at = bodyInstant(body.deleted_at)
      if (Date.parse(at) > now + API_LIMITS.webhookSignatureToleranceSeconds * 1_000)
        invalid('deleted_at', 'must not be in the future')
      if (caller.ownTokenOf === undefined) return undefined
      const row = await confirmDeletion(tx, caller.ownTokenOf, id, at)
      if (row && row.status !== 'ended') invalid('installation_handle', 'is of an installation that has not ended')
      return row && toRow(row)
    },
  }),
]
