import { type Route, readAll, readFile } from '../../kernel/http/route.ts'
import { readUnlessStopped } from '../suppressions/index.ts'
import { typesFor } from '../uploads/index.ts'
import { selectAnswerFiles } from './files-store.ts'
import { answerFileShape } from './shape.ts'

const common = {
  group: 'Applications',
  scope: 'applications:answers:read',
} as const

/** For the pages of the team alone: files with which candidates answered questions of the form. */
export const answerFileRoutes: readonly Route[] = [
  readAll({
    ...common,
    path: '/applications/{application_handle}/files',
    operationId: 'listAnswerFiles',
    limited: 'record',
    jobRight: 'see',
    summary: 'List the files of an application',
    params: { application_handle: 'application' },
    shape: answerFileShape,
    handler: call => {
      const id = call.params.application_handle
      return readUnlessStopped(call, 'application', id, () => call.db.query(selectAnswerFiles(call.workspace, id)), [])
    },
  }),
  readFile({
    ...common,
    path: '/applications/{application_handle}/files/{file_id}/content',
    operationId: 'readAnswerFile',
    limited: 'record',
    jobRight: 'see',
    summary: 'Read a file of an application',
    tier: 'download',
    params: { application_handle: 'application', file_id: 'uuid' },
    returns: 'The file.',
    contentTypes: typesFor('answer'),
    errors: ['personal_data_quota_exceeded'],
    handler: async call => {
      const { db, workspace, params, services } = call
      const id = params.application_handle
      const read = () => db.one(selectAnswerFiles(workspace, id, params.file_id))
      const file = await readUnlessStopped(call, 'application', id, read, undefined)
      if (!file) return undefined
      const blob = await services.blobs.get(file.blob_key)
      if (!blob) throw new Error(`file missing: ${file.blob_key}`)
      return {
        stream: blob.stream,
        bytes: blob.stat.bytes,
        contentType: file.mime,
        filename: file.filename,
        reads: [{ object: 'application', id, field: 'answer_file' }],
      }
    },
  }),
]
