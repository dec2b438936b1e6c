import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { JobPage } from '../../packages/sdk/src/generated.ts'
import type { SearchResponse } from '../../src/hiring/api-types.ts'
import { queryOf, read } from '../ui/api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icons.tsx'
import { activeShortcuts } from '../ui/keys.ts'
import { navigate } from '../ui/router.tsx'
import { foundAddress } from './candidate-lists.ts'
import { PAGES } from './pages.ts'
import { useSession } from './session.ts'
import './css/command-bar.css'

interface Entry {
  group: string
  title: string
  /** on the right: a key, a state, a job */
  note?: string
  run: () => void
}

const SEARCH_DELAY_MS = 120
const OPEN = 'open-command-bar'

/** Opens the command bar from a button. */
export const openCommandBar = (): void => void dispatchEvent(new Event(OPEN))

/** Ctrl K, or ⌘ K: jobs, candidates, members, pages, and what can be done on this page. */
export function CommandBar() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const show = () => setOpen(true)
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      setOpen(now => !now)
    }
    addEventListener('keydown', onKey)
    addEventListener(OPEN, show)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener(OPEN, show)
    }
  }, [])
  return open ? <Palette onClose={() => setOpen(false)} /> : null
}

function Palette({ onClose }: { onClose: () => void }) {
  const [q, setQ] = useState('')
  const [at, setAt] = useState(0)
  const { entries, searching } = useEntries(q)
  const list = useId()
  const chosen = Math.min(at, entries.length - 1)
  const options = useRef<HTMLDivElement>(null)
  useEffect(
    () => options.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    [chosen],
  )

  const run = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, entries.length - 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0))
    else if (event.key === 'Enter') run(entries[chosen])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Go to or do" onClose={onClose}>
      <div class="palette">
        <input
          type="text"
          role="combobox"
          aria-expanded={true}
          aria-controls={list}
          aria-activedescendant={chosen >= 0 ? `${list}-${chosen}` : undefined}
          aria-label="Search jobs, candidates, members and pages"
          placeholder="Jobs, candidates, members, pages"
          autocomplete="off"
          spellcheck={false}
          value={q}
          onInput={event => {
            setQ(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
        <div id={list} role="listbox" aria-label="Results" ref={options} aria-busy={searching}>
          {entries.map((entry, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the field, which has the focus
            <div
              key={`${entry.group} ${entry.title} ${entry.note ?? ''}`}
              id={`${list}-${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={i === chosen}
              onMouseMove={() => setAt(i)}
              onClick={() => run(entry)}
            >
              <span class="palette-group">{entry.group}</span>
              <span class="palette-title">{entry.title}</span>
              {entry.note && <span class="palette-note">{entry.note}</span>}
            </div>
          ))}
        </div>
        <p class="palette-empty" role="status">
          {entries.length === 0 ? (searching ? 'Searching …' : 'Nothing found.') : ''}
        </p>
      </div>
    </Dialog>
  )
}

const matches = (title: string, q: string): boolean =>
  q
    .toLowerCase()
    .split(/\s+/)
    .every(word => title.toLowerCase().includes(word))

function useEntries(q: string): { entries: Entry[]; searching: boolean } {
  const session = useSession()
  // those of the page below: the palette itself has none
  const [shortcuts] = useState(activeShortcuts)
  const { found, searching } = useSearch(q.trim())
  const pages: Entry[] = PAGES.filter(({ nav }) => nav && (nav.when?.(session) ?? true)).map(({ path, nav }) => ({
    group: 'Page',
    title: nav!.title,
    run: () => navigate(path),
  }))
  const actions: Entry[] = shortcuts.map(({ title, keys, run }) => ({ group: 'Do', title, note: keys, run }))
  const local = [...actions, ...pages].filter(({ title }) => matches(title, q.trim()))
  return { entries: [...found, ...local], searching }
}

/** What the service finds: asked when the reader pauses, and only the latest response counts. */
function useSearch(q: string): { found: Entry[]; searching: boolean } {
  const [state, setState] = useState<{ q: string; found: Entry[] }>({ q: '', found: [] })
  useEffect(() => {
    if (q === '') return setState({ q, found: [] })
    const abort = new AbortController()
    const timer = setTimeout(async () => {
      const [jobs, people] = await Promise.all([
        read<JobPage>(`/v1/jobs${queryOf({ q, include_unpublished: 'true', limit: 6 })}`, abort.signal).catch(none),
        read<SearchResponse>(`/search${queryOf({ q })}`, abort.signal).catch(none),
      ])
      if (abort.signal.aborted) return
      const candidates = (people?.candidates ?? []).map(candidate => candidate.application_id)
      const found: Entry[] = [
        ...(jobs?.data ?? []).map(({ id, title, status }) => ({
          group: 'Job',
          title,
          note: status,
          run: () => navigate(`/jobs/${id}`),
        })),
        ...(people?.candidates ?? []).map(({ application_id, name, job_title }) => ({
          group: 'Candidate',
          title: name,
          note: job_title,
          run: () => navigate(foundAddress(application_id, q, candidates)),
        })),
        ...(people?.members ?? []).map(({ name, email }) => ({
          group: 'Member',
          title: name,
          note: email,
          run: () => location.assign(`mailto:${email}`),
        })),
      ]
      setState({ q, found })
    }, SEARCH_DELAY_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [q])
  return { found: state.found, searching: state.q !== q }
}

/** A part that failed is left out; the rest is shown. */
const none = () => undefined

/** In the navigation: where the command bar is found without knowing its key. */
export const CommandButton = () => (
  <button type="button" class="command-button" onClick={openCommandBar}>
    <Icon name="search" size={16} />
    <span>Search</span>
    <kbd>{/Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'}</kbd>
  </button>
)
