import { type Body, type Read, read, send, useData } from './api.ts'

/*
 * Mistakes that do not compile: `npm run types` fails if one of them does. Nothing imports this file, and nothing runs it.
 * Paths below /v1 are those of the API, with the types of `openapi.json`.
 */

const id = 'app_1'

export const correct = () => [read('/candidates/{id}', { id }), read('/v1/jobs/{job_handle}', { job_handle: 'job_1' })]

// @ts-expect-error no such path
export const otherPath = () => read('/candidate/{id}', { id })
// @ts-expect-error another name of the path
export const otherName = () => useData('/candidates/{id}', { application: id })
// @ts-expect-error no such path of the API
export const otherOperation = () => read('/v1/job/{job_handle}', { job_handle: 'job_1' })
// @ts-expect-error another name of a path of the API
export const otherHandle = () => read('/v1/jobs/{job_handle}', { job: 'job_1' })
// @ts-expect-error no such field of the body
export const otherBody = () => send('/applications/changes', { move: [] })

// @ts-expect-error no such field
export const otherField = (candidate: Read<'/candidates/{id}'>) => candidate.applicnt
// @ts-expect-error no such field of a response of the API
export const otherJobField = (job: Read<'/v1/jobs/{job_handle}'>) => job.titel
// @ts-expect-error no such field of a body
export const otherBodyField = (body: Body<'/applications/changes'>) => body.move
