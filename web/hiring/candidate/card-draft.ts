import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../../ui/api.ts'
import { type Read, send } from '../api.ts'
import { useSession } from '../session.ts'
import { holderOf, readDraft, useDraft, writeDraft } from './drafts.ts'

type Panel = Read<'/applications/{application}/scorecards'>
type Stored = NonNullable<Panel['draft']>

export interface Rating {
  score: number | null
  comment: string
}

/** What is entered, and what the server has of it. */
export interface CardDraft {
  recommendation: Stored['content']['recommendation']
  summary: string
  ratings: Readonly<Record<string, Rating>>
  /** questions of the kit that were asked */
  asked: readonly string[]
  /** what the server had when this was read or saved */
  version: string | null
  /** whether something is not saved */
  isChanged: boolean
}

const NO_CARD: CardDraft = {
  recommendation: null,
  summary: '',
  ratings: {},
  asked: [],
  version: null,
  isChanged: false,
}

const SAVE_AFTER_MS = 2_000
const RETRY_AFTER_MS = 10_000

export const isBegun = ({
  recommendation,
  summary,
  ratings,
  asked,
}: Omit<CardDraft, 'version' | 'isChanged'>): boolean =>
  recommendation !== null ||
  summary !== '' ||
  asked.length > 0 ||
  Object.values(ratings).some(({ score, comment }) => score !== null || comment !== '')

const toContent = ({ recommendation, summary, ratings, asked }: CardDraft): Stored['content'] => ({
  recommendation,
  summary,
  ratings: Object.entries(ratings).map(([name, rating]) => ({ name, ...rating })),
  asked: [...asked],
})

const fromStored = ({ content, version }: Stored): CardDraft => ({
  recommendation: content.recommendation,
  summary: content.summary,
  ratings: Object.fromEntries(content.ratings.map(({ name, score, comment }) => [name, { score, comment }])),
  asked: content.asked,
  version,
  isChanged: false,
})

/** Saves of one draft wait for each other, also those of a form that is no longer drawn. */
const saving = new Map<string, Promise<void>>()

export type SaveState = 'none' | 'saved' | 'failed' | 'stale'

/** Sends what is entered now, unless the server has it. */
async function save(holder: string, applicationId: string, keepalive: boolean): Promise<SaveState> {
  const read = () => readDraft(holder, 'scorecard', applicationId, NO_CARD)
  const sent = read()
  if (!sent.isChanged) return 'none'
  try {
    const { draft } = await send(
      '/applications/{application}/scorecard-draft',
      { application: applicationId },
      { content: isBegun(sent) ? toContent(sent) : null, expected_version: sent.version },
      keepalive ? { keepalive } : {},
    )
    const now = read()
    const isSame = JSON.stringify(toContent(now)) === JSON.stringify(toContent(sent))
    // submitted or discarded in the meantime
    if (now.version !== sent.version || !now.isChanged) return 'saved'
    writeDraft(holder, 'scorecard', applicationId, { ...now, version: draft?.version ?? null, isChanged: !isSame })
    return 'saved'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.code === 'stale_resource' ? 'stale' : 'failed'
  }
}

/**
 * A scorecard that is being written: in this tab immediately, on the server two seconds later, so that it can be finished
 * on another device.
 */
export function useCardDraft(applicationId: string, stored: Panel['draft']) {
  const holder = holderOf(useSession())
  const key = `${holder} ${applicationId}`
  const [draft, setDraft] = useDraft('scorecard', applicationId, NO_CARD)
  const [state, setState] = useState<SaveState>('none')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stale = useRef(false)
  const put = (value: CardDraft | undefined) => writeDraft(holder, 'scorecard', applicationId, value)

  const saveNow = (keepalive = false): Promise<void> => {
    clearTimeout(timer.current)
    timer.current = undefined
    const run = async () => {
      if (stale.current) return
      const result = await save(holder, applicationId, keepalive)
      stale.current = result === 'stale'
      if (result !== 'none') setState(result)
      if (result === 'failed') saveLater(RETRY_AFTER_MS)
      // something was entered while it was sent
      else if (readDraft(holder, 'scorecard', applicationId, NO_CARD).isChanged) saveLater()
    }
    const next = (saving.get(key) ?? Promise.resolve()).then(run)
    saving.set(key, next)
    return next
  }
  const isDrawn = useRef(true)
  const saveLater = (after = SAVE_AFTER_MS) => {
    if (isDrawn.current && !stale.current) timer.current ??= setTimeout(saveNow, after)
  }

  // what another device saved replaces what this one has nothing to add to
  useEffect(() => {
    const now = readDraft(holder, 'scorecard', applicationId, NO_CARD)
    if (now.isChanged) saveLater()
    else if (stored?.version !== (now.version ?? undefined)) put(stored ? fromStored(stored) : undefined)
  }, [stored?.version])

  useEffect(() => {
    const onHide = () => {
      if (document.visibilityState === 'hidden') void saveNow(true)
    }
    document.addEventListener('visibilitychange', onHide)
    return () => {
      document.removeEventListener('visibilitychange', onHide)
      isDrawn.current = false
      void saveNow(true)
    }
  }, [])

  return {
    draft,
    state,
    set: (change: Partial<CardDraft>) => {
      setDraft({ ...change, isChanged: true })
      saveLater()
    },
    /** before the card is submitted: no save comes after it */
    settle: () => {
      clearTimeout(timer.current)
      timer.current = undefined
      return saving.get(key) ?? Promise.resolve()
    },
    /** after it was submitted, or to read what another device saved */
    forget: () => {
      clearTimeout(timer.current)
      timer.current = undefined
      stale.current = false
      setState('none')
      put(undefined)
    },
    discard: async () => {
      await (saving.get(key) ?? Promise.resolve())
      const { version } = readDraft(holder, 'scorecard', applicationId, NO_CARD)
      if (version !== null)
        await send(
          '/applications/{application}/scorecard-draft',
          { application: applicationId },
          { content: null, expected_version: version },
        )
      put(undefined)
    },
  }
}

/** Whether this tab has the beginning of a scorecard. */
export const isBegunHere = (holder: string, applicationId: string): boolean =>
  isBegun(readDraft(holder, 'scorecard', applicationId, NO_CARD))
