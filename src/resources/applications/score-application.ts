import { randomUUID } from 'node:crypto'
import { runCooperatively } from '../../kernel/async/cooperative.ts'
import type { Database, Transaction } from '../../kernel/db/database.ts'
import { appendEvents, type NewEvent } from '../../kernel/feed/append.ts'
import { clock } from '../../kernel/time/clock.ts'
import { cancelTurn, endTurn, type TakenTurn, type TurnPlace, takeTurn } from '../../kernel/work/turns.ts'
import { type MatchScore, MODEL_VERSION, scoreMatch } from './score-rules.ts'
import {
  advanceRescore,
  claimRescore,
  dropScores,
  finishRescore,
  lockBatch,
  type Material,
  putScores,
  type Rescore,
  rescoringWorkspaces,
  selectMaterial,
  touchScored,
} from './score-store.ts'
import { lockApplication } from './store.ts'

/** Scores an application from its parsed résumé. */
export async function scoreApplication(tx: Transaction, workspace: string, id: string): Promise<void> {
  if (await tx.one(lockApplication(workspace, id))) await scoreLocked(tx, workspace, [id])
}

/**
 * Scores applications that are locked. application.scored where the score is new or changed; where the job no longer
 * asks for anything that could be matched the score is removed, and application.updated names it.
 */
async function scoreLocked(tx: Transaction, workspace: string, ids: readonly string[]): Promise<void> {
  const scores = await runCooperatively(scoreAll(await tx.query(selectMaterial(workspace, ids))))
  const found = new Map([...scores].filter((entry): entry is [string, MatchScore] => entry[1] !== undefined))
  const without = [...scores.keys()].filter(id => !found.has(id))
  const changed = found.size > 0 ? await tx.query(touchScored(workspace, found, MODEL_VERSION)) : []
  if (changed.length > 0) await tx.query(putScores(workspace, found, MODEL_VERSION))
  const removed = without.length > 0 ? await tx.query(dropScores(workspace, without)) : []
  const byId = [...changed, ...removed].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  if (byId.length === 0) return
  await appendEvents(
    tx,
    byId.map((row): NewEvent => {
      const common = { workspaceId: workspace, id: row.id, updatedAt: row.updated_at, originKeyId: null }
      const score = found.get(row.id)
      const { job_id, status, stage_id } = row
      return score
        ? { ...common, type: 'application.scored', values: { job_id, match_pct: score.match_pct } }
        : { ...common, type: 'application.updated', values: { status, stage_id, job_id }, changed: ['score'] }
    }),
  )
}

/** A long résumé takes milliseconds: requests continue between two of them. */
function* scoreAll(materials: readonly Material[]): Generator<void, Map<string, MatchScore | undefined>, void> {
  const scores = new Map<string, MatchScore | undefined>()
  for (const material of materials) {
    scores.set(material.id, scoreOf(material))
    yield
  }
  return scores
}

const scoreOf = ({ parsed, raw_text, ...job }: Material): MatchScore | undefined =>
  scoreMatch(
    {
      skillsRequired: job.skills_required,
      skillsPreferred: job.skills_preferred,
      experienceLevel: job.experience_level,
      yearsMin: job.years_min,
    },
    {
      skills: parsed.skills,
      text: raw_text ?? '',
      seniority: parsed.seniority,
      years: parsed.total_years_experience,
    },
  )

/**
 * Scoring the applications of a changed job again: a batch at a time, workspaces in turns. A batch is one transaction,
 * which also moves the place on: a process that dies in between has done nothing, and its lease runs out.
 */
const BATCH = 50
const LEASE_SECONDS = 60
/** Candidates for one claim: the first is taken unless another worker takes it at the same moment. */
const CANDIDATES = 20

/** Scores the next batch of a changed job's applications; false when no job waits. */
export async function rescoreNext(db: Database): Promise<boolean> {
  for (const seen of await db.query(rescoringWorkspaces(CANDIDATES))) {
    const claimed = await claim(db, seen)
    if (!claimed) continue
    const started = clock.monotonic()
    await db.transaction(tx => rescoreBatch(tx, claimed.rescore))
    await db.query(endTurn(claimed.turn, Math.round(clock.monotonic() - started)))
    return true
  }
  return false
}

const claim = (db: Database, seen: TurnPlace): Promise<{ turn: TakenTurn; rescore: Rescore } | undefined> =>
  db.transaction(async tx => {
    const workspace = seen.workspace_id
    const turn = await tx.one(
      takeTurn({ work: 'score_again', workspace, reserveMs: 0, busySeconds: LEASE_SECONDS, seen }),
    )
    if (!turn) return undefined
    const rescore = await tx.one(claimRescore(workspace, randomUUID(), LEASE_SECONDS))
    if (rescore) return { turn, rescore }
    await tx.query(cancelTurn(turn))
    return undefined
  })

/**
 * The row of the claim is written last: a change of the job, which writes it too, then never waits for a batch that in
 * turn waits for an application.
 */
async function rescoreBatch(tx: Transaction, rescore: Rescore): Promise<void> {
  const ids = (await tx.query(lockBatch(rescore, BATCH))).map(row => row.id)
  await scoreLocked(tx, rescore.workspace_id, ids)
  const last = ids.at(-1) ?? rescore.after_id
  if (ids.length === BATCH || !(await tx.one(finishRescore(rescore)))) await tx.query(advanceRescore(rescore, last))
}
