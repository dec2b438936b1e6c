import type { Blobs } from '../../kernel/blobs/blobs.ts'
import type { Queryable, Transaction } from '../../kernel/db/database.ts'
import { present } from '../../kernel/errors/present.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { charactersIn, isBlankText } from '../../kernel/text/text.ts'
import {
  type AddedCandidate,
  type AddingTo,
  addCandidates,
  addNote,
  type CheckedCandidate,
  checkCandidates,
  type TeamCandidate,
} from '../applications/index.ts'
import { MAX_TAGS, tagFault, tagName } from './rules.ts'
import { insertTag } from './store.ts'

/** A candidate with what the team says about them. */
export interface NewCandidate extends TeamCandidate {
  tags?: readonly string[] | undefined
  /** for the team of the job */
  note?: string | undefined
}

export const MAX_NOTE = 10_000

/** The faults of tags and note. */
function teamFaults({ tags = [], note = '' }: NewCandidate): InputFault[] {
  const faults: InputFault[] = tags.flatMap(tag => {
    const message = tagFault(tag)
    return message === undefined ? [] : [{ param: 'tags', message, reason: 'bad_tag' }]
  })
  if (new Set(tags.map(tag => tagName(tag).key)).size > MAX_TAGS)
    faults.push({ param: 'tags', message: `an application has at most ${MAX_TAGS} tags`, reason: 'too_many' })
  if (charactersIn(note) > MAX_NOTE)
    faults.push({ param: 'note', message: `must be at most ${MAX_NOTE} characters`, reason: 'too_long' })
  return faults
}

/** Those without faults of their own are given to `work`; the results are in the order of the candidates. */
async function withTeamFaults<R>(
  candidates: readonly NewCandidate[],
  work: (valid: readonly NewCandidate[]) => Promise<R[]>,
): Promise<(R | { outcome: 'invalid'; faults: InputFault[] })[]> {
  const faults = candidates.map(teamFaults)
  const results = await work(candidates.filter((_, i) => faults[i]?.length === 0))
  let next = 0
  return candidates.map((_, i) => {
    const found = faults[i] ?? []
    return found.length > 0 ? { outcome: 'invalid', faults: found } : present(results[next++], 'a result')
  })
}

/** Says what `addCandidatesWithNotes` would do. Nothing is written. `same_as` is a place in this list. */
export async function checkCandidatesWithNotes(
  db: Queryable,
  to: Omit<AddingTo, 'userId'>,
  candidates: readonly NewCandidate[],
): Promise<CheckedCandidate[]> {
  const places = candidates.flatMap((candidate, i) => (teamFaults(candidate).length === 0 ? [i] : []))
  const checked = await withTeamFaults(candidates, valid => checkCandidates(db, to, valid))
  return checked.map(result =>
    'same_as' in result && result.same_as !== null ? { ...result, same_as: places[result.same_as] ?? null } : result,
  )
}

/**
 * Puts candidates into a job, in the order of the list and in this transaction: those who are stored have the tags and the note.
 * Nothing of a candidate is stored who is in the job already, must not be stored or has faults.
 */
export function addCandidatesWithNotes(
  tx: Transaction,
  blobs: Blobs,
  to: AddingTo,
  candidates: readonly NewCandidate[],
): Promise<AddedCandidate[]> {
  return withTeamFaults(candidates, async valid => {
    const results = await addCandidates(tx, blobs, to, valid)
    for (const [i, result] of results.entries())
      if (result.outcome === 'added' || result.outcome === 'known_person')
        await describe(tx, to, result.application_id, present(valid[i], 'the candidate'))
    return results
  })
}

async function describe(
  tx: Transaction,
  { workspace, userId }: AddingTo,
  applicationId: string,
  { tags = [], note = '' }: NewCandidate,
): Promise<void> {
  for (const tag of tags) await tx.query(insertTag(workspace, applicationId, tagName(tag)))
  if (isBlankText(note)) return
  await addNote(tx, {
    workspace,
    id: applicationId,
    originKeyId: null,
    userId,
    authorUserId: userId,
    body: note.trim(),
  })
}
