import { href, type Read, type Row, read, type Sent, send, useData, usePages } from './api.ts'

/*
 * Mistakes that do not compile: `npm run types` fails if one of them does. Nothing imports this file, and nothing runs it.
 */

const id = 'key_1'

export const correct = () => [
  read('/keys/{id}', { id }),
  send('/keys/{id}/rotate', { id }, { overlap_hours: 24 }),
  useData('/keys/{id}', { id }),
  usePages('/audit', { key_id: id }),
  href('/audit/personal-data-reads.csv', { key_id: id }),
]

// @ts-expect-error no such path
export const otherPath = () => read('/key/{id}', { id })
// @ts-expect-error no such path
export const otherPage = () => useData('/key/{id}', { id })
// @ts-expect-error another name of the path
export const otherName = () => read('/keys/{id}', { key: id })
// @ts-expect-error the name of the path is missing
export const noName = () => useData('/keys/{id}')
// @ts-expect-error no such filter
export const otherFilter = () => usePages('/audit', { keyid: id })
// @ts-expect-error no such filter
export const otherLink = () => href('/audit/personal-data-reads.csv', { keyid: id })
// @ts-expect-error a read is not a change
export const readAsChange = () => send('/keys')
// @ts-expect-error a change is not a read
export const changeAsRead = () => read('/keys/{id}/rotate', { id })
// @ts-expect-error no such field of the body
export const otherBody = () => send('/keys/{id}/rotate', { id }, { overlap: 24 })
// @ts-expect-error the body is missing
export const noBody = () => send('/keys/{id}/rotate', { id })
// @ts-expect-error another kind of value
export const otherValue = () => send('/keys/{id}/rotate', { id }, { overlap_hours: '24' })

export const correctFields = (key: Read<'/keys/{id}'>, row: Row<'/keys'>) => [key.last_used_at, row.last_used_at]

// @ts-expect-error no such field
export const otherField = (key: Read<'/keys/{id}'>) => key.last_use
// @ts-expect-error no such field of a row
export const otherRowField = (row: Row<'/keys'>) => row.last_use
// @ts-expect-error no such field of what a change returns
export const otherSentField = (issued: Sent<'/keys'>) => issued.last_use
