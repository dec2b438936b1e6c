import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Icon } from '../ui/icons.tsx'
import { navigate } from '../ui/router.tsx'
import { type Entry, type Member, matches, useEntries } from './search/entries.ts'
import { Marked } from './search/marked.tsx'
import { useMay, useSession } from './session.ts'
import { t } from './texts/index.ts'
import './css/command-bar.css'

const OPEN = 'open-command-bar'

/** Opens the command bar from a button. */
export const openCommandBar = (): void => void dispatchEvent(new Event(OPEN))

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
  const [text, setText] = useState('')
  const q = text.trim()
  const { entries, isOld, searching, isNoOne, notes } = useEntries(q, onMember)
  const may = useMay()
  const list = useId()
  // the entry itself, not its number: results that come later must not change what Enter does
  const [wanted, setWanted] = useState<string>()
  const last = useRef<string>(undefined)
  const indexOf = (id: string | undefined) => entries.findIndex(entry => entry.id === id)
  const chosen =
    [indexOf(wanted), isOld ? -1 : indexOf(last.current)].find(i => i !== -1) ?? (entries.length > 0 ? 0 : -1)
  last.current = isOld ? undefined : entries[chosen]?.id
  const choose = (i: number) => setWanted(entries[Math.max(0, Math.min(entries.length - 1, i))]?.id)
  const options = useRef<HTMLDivElement>(null)
  useEffect(
    () => options.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    [entries[chosen]?.id],
  )

  const run = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.run()
  }
  // Enter came before anything was found: it means the first entry, once the service responds
  const entered = useRef(false)
  useEffect(() => {
    if (!entered.current || searching) return
    entered.current = false
    const [first] = entries
    if (first && (first.group === 'candidates' || matches(first.title, q))) run(first)
  })
  const openList = () => {
    onClose()
    navigate(`/candidates?${new URLSearchParams({ q })}`)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') choose(chosen + 1)
    else if (event.key === 'ArrowUp') choose(chosen - 1)
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      if (q !== '') openList()
    } else if (event.key === 'Enter') {
      if (searching && wanted === undefined && (isOld || entries.length === 0)) entered.current = true
      else run(entries[chosen])
    } else return
    event.preventDefault()
  }
  return (
    <Dialog title={t.search.title} onClose={onClose}>
      <div class="palette">
        <input
          type="text"
          role="combobox"
          aria-expanded={true}
          aria-controls={list}
          aria-activedescendant={chosen >= 0 ? `${list}-${chosen}` : undefined}
          aria-label={t.search.label}
          placeholder={t.search.placeholder}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={event => {
            setText(event.currentTarget.value)
            setWanted(undefined)
            entered.current = false
          }}
          onKeyDown={onKeyDown}
        />
        <div id={list} role="listbox" aria-label={t.search.results} ref={options} aria-busy={searching}>
          {entries.map((entry, i) => {
            const isFirst = entries[i - 1]?.group !== entry.group
            return (
              <PaletteRow
                key={entry.id}
                entry={entry}
                q={q}
                heading={isFirst ? t.search.groups[entry.group] : undefined}
                option={{ id: `${list}-${i}`, 'aria-selected': i === chosen }}
                onPoint={() => choose(i)}
                onRun={() => run(entry)}
              />
            )
          })}
        </div>
        {notes.map(note => (
          <p key={note} class="palette-hint" role="status">
            {note}
          </p>
        ))}
        <PaletteFoot
          status={entries.length > 0 ? '' : searching ? t.search.searching : isNoOne ? '' : t.search.nothing}
          noOne={isNoOne && may('pool:read') ? q : undefined}
          onPool={() => {
            onClose()
            navigate(`/pool?${new URLSearchParams({ q })}`)
          }}
          onList={q !== '' && !isNoOne ? openList : undefined}
        />
      </div>
    </Dialog>
  )
}

interface RowProps {
  entry: Entry
  q: string
  /** The title of the group that begins with it */
  heading: string | undefined
  option: { id: string; 'aria-selected': boolean }
  onPoint: () => void
  onRun: () => void
}

const PaletteRow = ({ entry, q, heading, option, onPoint, onRun }: RowProps) => (
  <>
    {heading && (
      <div class="palette-group" role="presentation">
        {heading}
      </div>
    )}
    {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the field, which has the focus */}
    <div {...option} data-group={entry.group} role="option" tabIndex={-1} onMouseMove={onPoint} onClick={onRun}>
      <span class="palette-icon">
        <Icon name={entry.icon} size={15} />
      </span>
      <span class="palette-title">
        <Marked text={entry.title} q={q} />
        {entry.detail && <span class="palette-detail"> {entry.detail}</span>}
      </span>
      {entry.note && <span class="palette-note">{entry.note}</span>}
    </div>
  </>
)

interface FootProps {
  status: string
  /** what no one was found by */
  noOne: string | undefined
  onPool: () => void
  onList: (() => void) | undefined
}

const PaletteFoot = ({ status, noOne, onPool, onList }: FootProps) => (
  <div class="palette-foot">
    <p role="status">{noOne === undefined ? status : t.search.noOne(noOne)}</p>
    {noOne !== undefined && (
      <Button small onClick={onPool}>
        {t.search.searchPool}
      </Button>
    )}
    {onList && (
      <button type="button" class="palette-all" onClick={onList}>
        <kbd>{IS_MAC ? '⌘ ↵' : 'Ctrl ↵'}</kbd> {t.search.all}
      </button>
    )}
  </div>
)

const IS_MAC = /Mac|iP(hone|ad)/.test(navigator.platform)

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

/** In the navigation: where the command bar is found without knowing its key. */
export const CommandButton = () => (
  <button type="button" class="command-button" onClick={openCommandBar}>
    <Icon name="search" size={16} />
    <span>{t.search.button}</span>
    <kbd>{IS_MAC ? '⌘ K' : 'Ctrl K'}</kbd>
  </button>
)
