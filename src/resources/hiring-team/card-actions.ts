import { randomUUID } from 'node:crypto'
import type { Queryable, Transaction } from '../../kernel/db/database.ts'
import { fail, invalid } from '../../kernel/errors/api-error.ts'
import { applicationById, changeBelongings } from '../applications/index.ts'
import { readUnlessStopped } from '../suppressions/index.ts'
import { changeOf, mailOthers, membersNamed, type OnApplication, requireMembers } from './actions.ts'
import {
  type CardReader,
  type CardRequest,
  type CardSummary,
  cardRequests,
  cardSummaries,
  countHiddenCards,
  insertRemark,
  ownCard,
  type PanelCard,
  panelCards,
  putDraft,
  type Remark,
  removeDraft,
  requestCards,
  type StoredDraft,
  selectDraft,
  widenRequests,
  withdrawCardRequest,
} from './cards-store.ts'
import { type KitForCard, readKitForCard } from './kit-actions.ts'
import type { CardDraft } from './rules.ts'
import type { Named } from './store.ts'

type NamedCard = Omit<PanelCard, 'author_user_id'> & { author: Named | null }

export interface ScorecardPanel extends KitForCard {
  /** those that the reader sees */
  cards: NamedCard[]
  /** how many there are that the reader sees after their own */
  hidden: number
  /** whether the reader was asked, and has not written a scorecard yet */
  asked: Pick<CardRequest, 'requested_at' | 'stage_name'> | null
  requests: (Omit<CardRequest, 'user_id' | 'stage_id'> & { user: Named })[]
  /** null: none was begun */
  draft: StoredDraft | null
}

const NOTHING: ScorecardPanel = {
  cards: [],
  hidden: 0,
  asked: null,
  requests: [],
  draft: null,
  stage_id: null,
  stage_name: null,
  criteria: [],
  kit: null,
}

/**
 * The scorecards of an application for a member of the team. Opinions are formed before they are compared: a reader who was
 * asked and has not written a card sees how many there are about that stage, and nothing of them, nor who wrote them.
 * Nothing is read of a person whose processing was stopped.
 */
export const readPanel = (db: Queryable, on: OnApplication, team: boolean): Promise<ScorecardPanel> =>
  readUnlessStopped<ScorecardPanel>(
    { db, workspace: on.workspace },
    'application',
    on.applicationId,
    async () => {
      const { workspace, applicationId, userId } = on
      const reader = { userId, team }
      const application = (await db.one(applicationById(workspace, applicationId))) ?? fail('not_found')
      const [written, { hidden }, asked, draft] = await Promise.all([
        db.query(panelCards(workspace, applicationId, reader)),
        db.only(countHiddenCards(workspace, applicationId, reader)),
        db.query(cardRequests(workspace, applicationId)),
        db.one(selectDraft(on)),
      ])
      const own = asked.find(request => request.user_id === userId && !request.done)
      // requests that are done show who has written one
      const shown = team && hidden === 0 ? asked : asked.filter(request => request.user_id === userId)
      const users = [...written.map(card => card.author_user_id), ...shown.map(request => request.user_id)]
      const [names, kit] = await Promise.all([
        membersNamed(db, workspace, users),
        readKitForCard(db, workspace, application, own),
      ])
      return {
        ...kit,
        cards: written.map(({ author_user_id, ...card }) => ({ ...card, author: names.get(author_user_id) ?? null })),
        hidden,
        asked: own ? { requested_at: own.requested_at, stage_name: own.stage_name } : null,
        requests: shown.flatMap(({ user_id, stage_id: _, ...request }) => {
          const user = names.get(user_id)
          return user ? [{ user, ...request }] : []
        }),
        draft: draft ?? null,
      }
    },
    NOTHING,
  )

/** How many scorecards there are of applications, and what the panel thinks where none is hidden from the reader. */
export const readCardSummaries = async (
  db: Queryable,
  workspace: string,
  applicationIds: readonly string[],
  reader: CardReader,
): Promise<ReadonlyMap<string, CardSummary>> => {
  const rows = applicationIds.length === 0 ? [] : await db.query(cardSummaries(workspace, applicationIds, reader))
  return new Map(rows.map(row => [row.application_id, row]))
}

/**
 * Asks members for their scorecards about the stage of the application. Who was asked and has not written one is not asked
 * again; if that was about another stage, it is about all of them from now on.
 */
export async function askForCards(tx: Transaction, on: OnApplication, users: readonly string[]): Promise<void> {
  const { workspace, applicationId } = on
  const asked = [...new Set(users)]
  await requireMembers(tx, on, asked, { param: 'user_ids', scope: 'scorecards:write', sees: false })
  const found = await changeBelongings(tx, changeOf(on), 'scorecards', async () => {
    const before = await tx.query(cardRequests(workspace, applicationId))
    const open = new Set(before.flatMap(request => (request.done ? [] : request.user_id)))
    const application = await tx.only(applicationById(workspace, applicationId))
    const waiting = asked.filter(user => open.has(user))
    if (waiting.length > 0) await tx.query(widenRequests(workspace, applicationId, waiting, application.stage_id))
    const users = asked.filter(user => !open.has(user))
    if (users.length === 0) return false
    await tx.query(requestCards(workspace, applicationId, users, on.userId))
    await mailOthers(tx, on, { kind: 'scorecard', noteId: null }, users)
    return false
  })
  if (found === undefined) fail('not_found')
}

/** No one takes back a request to themselves in order to read what others wrote. */
export async function withdrawRequest(
  tx: Transaction,
  on: OnApplication,
  user: string,
): Promise<{ user_id: string } | undefined> {
  if (user === on.userId) {
    const reader = { userId: user, team: true }
    const { hidden } = await tx.only(countHiddenCards(on.workspace, on.applicationId, reader))
    if (hidden > 0) invalid('user', 'cannot be yourself while scorecards are hidden from you; ask someone else')
  }
  return tx.one(withdrawCardRequest(on.workspace, on.applicationId, user))
}

/** What the author of a scorecard adds to it. 404 for a card of someone else. */
export async function addRemark(tx: Transaction, on: OnApplication, cardId: string, body: string): Promise<Remark> {
  let stored: Remark | undefined
  await changeBelongings(tx, changeOf(on), 'scorecards', async () => {
    const card = await tx.one(ownCard(on.workspace, on.applicationId, cardId, on.userId))
    if (!card) return false
    stored = await tx.only(insertRemark(on.workspace, { id: randomUUID(), cardId, body }))
    return true
  })
  return stored ?? fail('not_found')
}

export const readCardDraft = (db: Queryable, on: OnApplication): Promise<StoredDraft | null> =>
  readUnlessStopped<StoredDraft | null>(
    { db, workspace: on.workspace },
    'application',
    on.applicationId,
    async () => (await db.one(selectDraft(on))) ?? null,
    null,
  )

/**
 * Stores what the member has written of a scorecard; null discards it. 409 if another device stored, discarded or submitted
 * it since this one read it.
 */
export async function saveCardDraft(
  tx: Transaction,
  on: OnApplication,
  { content, expectedVersion }: { content: CardDraft | null; expectedVersion: string | null },
): Promise<StoredDraft | null> {
  let stored: StoredDraft | null = null
  const found = await changeBelongings(tx, changeOf(on), 'scorecards', async () => {
    const before = await tx.one(selectDraft(on))
    if ((before?.version ?? null) !== expectedVersion)
      fail('stale_resource', { message: 'This scorecard was changed on another device.' })
    if (content) stored = await tx.only(putDraft(on, content, randomUUID()))
    else await tx.query(removeDraft(on))
    return false
  })
  if (found === undefined) fail('not_found')
  return stored
}
