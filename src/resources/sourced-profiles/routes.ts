import { fail } from '../../kernel/errors/api-error.ts'
import { BY_UPDATED } from '../../kernel/http/list.ts'
import { booleanParam, textParam } from '../../kernel/http/params.ts'
import { type Route, readAll, readFile, readOne, readPage } from '../../kernel/http/route.ts'
import { BEST_FIRST } from '../../kernel/http/tool.ts'
import { readUnlessStopped } from '../suppressions/index.ts'
import { ATTACHMENT_MIMES } from './rules.ts'
import {
  ATTACHMENT_SCOPES,
  ATTACHMENT_TYPES,
  type AttachmentType,
  attachmentShape,
  sourcedProfileShape,
} from './shape.ts'
import { allProfiles, profileById, selectAttachments, toProfile } from './store.ts'

const group = 'Sourced profiles'

export const sourcedProfileRoutes: readonly Route[] = [
  readPage({
    path: '/sourced-profiles',
    operationId: 'listSourcedProfiles',
    limited: 'closed',
    tool: { omit: ['provenance'], ...BEST_FIRST },
    summary: 'List sourced profiles',
    description: 'Candidates that the workspace found and saved, most recently updated first.',
    group,
    scope: 'sourced_profiles:read',
    query: {
      origin: textParam('The source of the profile, for example xray, import or github.', 100),
      has_contact_info: booleanParam('Only profiles with, or without, revealed contact details.'),
      q: textParam(
        'A part of the name, title or company; case is ignored. The best match is first with sort=relevance only.',
      ),
    },
    shape: sourcedProfileShape,
    order: BY_UPDATED,
    sorts: { relevance: { order: 'ranked', needs: 'q' } },
    handler: async ({ db, workspace, query, page }) =>
      (await db.query(allProfiles(workspace, query, page))).map(toProfile),
  }),
  readOne({
    path: '/sourced-profiles/{profile_handle}',
    operationId: 'getSourcedProfile',
    limited: 'closed',
    summary: 'Get a sourced profile',
    group,
    scope: 'sourced_profiles:read',
    params: { profile_handle: 'sourced_profile' },
    shape: sourcedProfileShape,
    handler: async ({ db, workspace, params }) => {
      const row = await db.one(profileById(workspace, params.profile_handle))
      return row && toProfile(row)
    },
  }),
  readAll({
    path: '/sourced-profiles/{profile_handle}/attachments',
    operationId: 'listAttachments',
    limited: 'closed',
    summary: 'List the files of a sourced profile',
    description: 'Files that the key cannot download have `readable: false`.',
    group,
    scope: 'attachments:read',
    params: { profile_handle: 'sourced_profile' },
    shape: attachmentShape,
    handler: async call => {
      const { db, workspace, caller } = call
      const id = call.params.profile_handle
      const files = await readUnlessStopped(
        call,
        'sourced_profile',
        id,
        () => db.query(selectAttachments(workspace, id)),
        [],
      )
      return files.map(({ blob_key: _, ...file }) => ({
        ...file,
        uploaded_at: file.uploaded_at.replace(/Z$/, ''),
        required_scope: ATTACHMENT_SCOPES[file.type],
        readable: caller.scopes.has(ATTACHMENT_SCOPES[file.type]),
      }))
    },
  }),
  readFile({
    path: '/sourced-profiles/{profile_handle}/attachments/{kind}/content',
    operationId: 'downloadAttachment',
    limited: 'closed',
    summary: 'Download a file of a sourced profile',
    description:
      'Needs the scope of the type of the file in addition to attachments:read, and costs one personal-data unit.',
    group,
    scope: 'attachments:read',
    handlerScopes: Object.values(ATTACHMENT_SCOPES),
    tier: 'download',
    params: { profile_handle: 'sourced_profile', kind: ATTACHMENT_TYPES },
    returns: 'The file.',
    contentTypes: [...new Set(Object.values(ATTACHMENT_MIMES).flat())],
    handler: async call => {
      const { db, workspace, params, caller, services } = call
      const kind = params.kind as AttachmentType
      // checked before the database is read, so that this error does not reveal whether the profile exists
      const required_scope = ATTACHMENT_SCOPES[kind]
      if (!caller.scopes.has(required_scope)) {
        const message = `A ${kind} needs the scope ${required_scope}, which the key does not have.`
        return fail('insufficient_scope', { required_scope, message })
      }
      const id = params.profile_handle
      const read = () => db.one(selectAttachments(workspace, id, kind))
      for (let missed: string | undefined; ; ) {
        const file = await readUnlessStopped(call, 'sourced_profile', id, read, undefined)
        if (!file) return undefined
        // A replaced or deleted file is removed right after its row changed, which may happen between the read and
        // `get`. Then the row is read again; the same key twice means that the file is lost.
        if (file.blob_key === missed) throw new Error(`attachment file missing: ${missed}`)
        const blob = await services.blobs.get(file.blob_key)
        missed = file.blob_key
        if (!blob) continue
        return {
          stream: blob.stream,
          bytes: blob.stat.bytes,
          contentType: file.mime,
          filename: file.filename,
          reads: [{ object: 'sourced_profile', id, field: `${kind}_file` }],
        }
      }
    },
  }),
]
