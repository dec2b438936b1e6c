import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { type ApplicationStatus, isOpen, STATUS_NAMES } from '../../src/contract/application-status.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Icon } from '../ui/icons.tsx'
import { activeShortcuts } from '../ui/keys.ts'
import { navigationFor } from '../ui/page-entry.tsx'
import { navigate } from '../ui/router.tsx'
import { type Read, read } from './api.ts'
import { foundAddress } from './candidate-lists.ts'
import { formatKeys } from './key-map.tsx'
import { PAGES } from './pages.ts'
import { useSession } from './session.ts'
import './css/command-bar.css'

type Group = 'Action' | 'Page' | 'Job' | 'Candidate' | 'Member'

const GROUP_ICONS = {
  Action: 'check',
  Page: 'overview',
  Job: 'job',
  Candidate: 'person',
  Member: 'people',
} as const satisfies Readonly<Record<Group, Parameters<typeof Icon>[0]['name']>>

interface Entry {
  /** what it is, whatever comes before it in the list */
  id: string
  group: Group
  title: string
  /** on the right: a key, a state, a job with a stage */
  note?: string
  run: () => void
}

const SEARCH_DELAY_MS = 120
const OPEN = 'open-command-bar'

/** Opens the command bar from a button. */
export const openCommandBar = (): void => void dispatchEvent(new Event(OPEN))

type Member = Read<'/search'>['members'][number]

/** Ctrl K, or ⌘ K: what can be done on this page, pages, jobs, candidates, members. */
export function CommandBar() {
  const [open, setOpen] = useState(false)
  const [member, setMember] = useState<Member>()
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
  if (open) return <Palette onClose={() => setOpen(false)} onMember={setMember} />
  return member ? <MemberDialog member={member} onClose={() => setMember(undefined)} /> : null
}

interface PaletteProps {
  onClose: () => void
  onMember: (member: Member) => void
}

function Palette({ onClose, onMember }: PaletteProps) {
  const [q, setQ] = useState('')
  const { entries, searching } = useEntries(q, onMember)
  const list = useId()
  // the entry itself, not its number: results that come later must not change what Enter does
  const [wanted, setWanted] = useState<string>()
  const last = useRef<string>(undefined)
  const indexOf = (id: string | undefined) => entries.findIndex(entry => entry.id === id)
  const chosen = [indexOf(wanted), indexOf(last.current)].find(i => i !== -1) ?? (entries.length > 0 ? 0 : -1)
  last.current = entries[chosen]?.id
  const choose = (i: number) => setWanted(entries[Math.max(0, Math.min(entries.length - 1, i))]?.id)
  const options = useRef<HTMLDivElement>(null)
  useEffect(
    () => options.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    [last.current],
  )

  const run = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.run()
  }
  // Enter came before anything was found: it means the first entry that has the words, once the service responds
  const entered = useRef(false)
  useEffect(() => {
    if (!entered.current || searching) return
    entered.current = false
    if (entries[0] && matches(entries[0].title, q.trim())) run(entries[0])
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') choose(chosen + 1)
    else if (event.key === 'ArrowUp') choose(chosen - 1)
    else if (event.key === 'Enter') {
      if (entries.length === 0 && searching) entered.current = true
      else run(entries[chosen])
    } else return
    event.preventDefault()
  }
  return (
    <Dialog title="Search and actions" onClose={onClose}>
      <div class="palette">
        <input
          type="text"
          role="combobox"
          aria-expanded={true}
          aria-controls={list}
          aria-activedescendant={chosen >= 0 ? `${list}-${chosen}` : undefined}
          aria-label="Search jobs, candidates, members and pages"
          placeholder="Actions, pages, jobs, candidates, members"
          autocomplete="off"
          spellcheck={false}
          value={q}
          onInput={event => {
            setQ(event.currentTarget.value)
            setWanted(undefined)
            last.current = undefined
            entered.current = false
          }}
          onKeyDown={onKeyDown}
        />
        <div id={list} role="listbox" aria-label="Results" ref={options} aria-busy={searching}>
          {entries.map((entry, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the field, which has the focus
            <div
              key={entry.id}
              id={`${list}-${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={i === chosen}
              onMouseMove={() => choose(i)}
              onClick={() => run(entry)}
            >
              <span class="palette-icon">
                <Icon name={GROUP_ICONS[entry.group]} size={15} />
              </span>
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

function useEntries(q: string, onMember: (member: Member) => void): { entries: Entry[]; searching: boolean } {
  const session = useSession()
  // those of the page below: the palette itself has none
  const [shortcuts] = useState(activeShortcuts)
  const { found, searching } = useSearch(q.trim(), onMember)
  const keyOf = new Map(shortcuts.filter(({ isPage }) => isPage).map(({ keys, title }) => [title, keys]))
  const pages: Entry[] = navigationFor(PAGES, session).map(({ path, title }) => {
    const key = keyOf.get(`Go to ${title}`)
    return {
      id: `page ${path}`,
      group: 'Page' as const,
      title,
      ...(key ? { note: key } : {}),
      run: () => navigate(path),
    }
  })
  const actions: Entry[] = shortcuts
    .filter(({ isPage, title }, i) => !isPage && shortcuts.findIndex(other => other.title === title) === i)
    .map(({ title, keys, run }) => ({
      id: `action ${keys}`,
      group: 'Action' as const,
      title,
      note: formatKeys(keys),
      run,
    }))
  const local = [...actions, ...pages].filter(({ title }) => matches(title, q.trim()))
  // jobs are also found by similar words, or by words of their text: they come after what has the words in its title
  const isVague = ({ group, title }: Entry) => group === 'Job' && !matches(title, q.trim())
  const entries = [...local, ...found.filter(entry => !isVague(entry)), ...found.filter(isVague)]
  return { entries, searching }
}

/** One word for where a candidate is: the stage while the application is open, then the outcome. */
const placeOf = (status: ApplicationStatus, stageName: string | null): string =>
  isOpen(status) && stageName !== null ? stageName : STATUS_NAMES[status]

/** What the service finds: asked when the reader pauses, and only the latest response counts. */
function useSearch(q: string, onMember: (member: Member) => void): { found: Entry[]; searching: boolean } {
  const [state, setState] = useState<{ q: string; found: Entry[] }>({ q: '', found: [] })
  useEffect(() => {
    if (q === '') return setState({ q, found: [] })
    const abort = new AbortController()
    const timer = setTimeout(async () => {
      const [jobs, people] = await Promise.all([
        read('/v1/jobs', { q, include_unpublished: 'true', limit: 6 }, abort.signal).catch(none),
        read('/search', { q }, abort.signal).catch(none),
      ])
      if (abort.signal.aborted) return
      const candidates = (people?.candidates ?? []).map(candidate => candidate.application_id)
      const found: Entry[] = [
        ...(jobs?.data ?? []).map(({ id, title, status }) => ({
          id: `job ${id}`,
          group: 'Job' as const,
          title,
          note: status,
          run: () => navigate(`/jobs/${id}`),
        })),
        ...(people?.candidates ?? []).map(({ application_id, name, job_title, stage_name, status }) => ({
          id: `application ${application_id}`,
          group: 'Candidate' as const,
          title: name,
          note: `${job_title} · ${placeOf(status, stage_name)}`,
          run: () => navigate(foundAddress(application_id, q, candidates)),
        })),
        ...(people?.members ?? []).map(member => ({
          id: `member ${member.id}`,
          group: 'Member' as const,
          title: member.name || member.email,
          note: member.role,
          run: () => onMember(member),
        })),
      ]
      setState({ q, found })
    }, SEARCH_DELAY_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [q])
  // what was found for other words may not be run by Enter, unless its title has the words that are typed now
  const found = state.q === q ? state.found : q === '' ? [] : state.found.filter(({ title }) => matches(title, q))
  return { found, searching: state.q !== q }
}

/** Who someone is, and how to reach them. */
function MemberDialog({ member: { name, email, role }, onClose }: { member: Member; onClose: () => void }) {
  const { console: hasConsole } = useSession()
  return (
    <Dialog title={name || email} onClose={onClose}>
      <p>
        {role.charAt(0).toUpperCase() + role.slice(1)} of this workspace, <a href={`mailto:${email}`}>{email}</a>
      </p>
      <DialogActions>
        {hasConsole && (
          <a class="button secondary" href="/console/people">
            Open People in the console
          </a>
        )}
        <CopyButton value={email} label="Copy email address" />
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
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
