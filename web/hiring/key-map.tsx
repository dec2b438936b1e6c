import { useState } from 'preact/hooks'
import { Dialog } from '../ui/dialog.tsx'
import { activeShortcuts, type Shortcut, useShortcuts } from '../ui/keys.ts'
import { navigationFor, textOf } from '../ui/page-entry.tsx'
import { navigate } from '../ui/router.tsx'
import { toggleSide, useNarrowSide } from '../ui/side.ts'
import { ui } from '../ui/texts/index.ts'
import { KEYS } from './key-table.ts'
import { PAGES } from './pages.ts'
import { useSession } from './session.ts'
import { t } from './texts/index.ts'

/** What j and k go through on a page without an order of its own: the links that begin rows and entries. */
const ROWS = 'main tbody tr td:first-child a, main tbody tr th a, main .task-list li a:first-of-type'
const FIELDS = 'main input:not([type=checkbox], [type=radio], [type=hidden]), main select, main button[role=combobox]'

const rows = () => [...document.querySelectorAll<HTMLElement>(ROWS)]
const field = () => document.querySelector<HTMLElement>(FIELDS)

function step(by: 1 | -1): void {
  const links = rows()
  const at = links.indexOf(document.activeElement as HTMLElement)
  links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))]?.focus()
}

/** `?`: every key that does something on this page, then those that work on every page. */
export function KeyMap() {
  const session = useSession()
  const [shown, setShown] = useState<Shortcut[]>()
  const isNarrow = useNarrowSide()
  const go = navigationFor(PAGES, session)
    .filter(({ key }) => key)
    .map(({ path, title, key }) => ({
      keys: `g ${key}`,
      title: t.common.nav.goTo(textOf(title)),
      run: () => navigate(path),
      isEverywhere: true,
      isPage: true,
    }))
  const show = () => setShown(activeShortcuts())
  useShortcuts([
    { keys: KEYS.next, title: 'Next row', run: () => step(1), isEverywhere: true, when: () => rows().length > 0 },
    {
      keys: KEYS.previous,
      title: 'Previous row',
      run: () => step(-1),
      isEverywhere: true,
      when: () => rows().length > 0,
    },
    {
      keys: KEYS.search,
      title: 'To the first field',
      run: () => field()?.focus(),
      isEverywhere: true,
      when: () => !!field(),
    },
    ...go,
    { keys: KEYS.side, title: isNarrow ? ui.expand : ui.collapse, run: toggleSide, isEverywhere: true },
    { keys: KEYS.keys, title: 'Show the keys of this page', run: show, isEverywhere: true },
  ])
  if (!shown) return null
  const isOfPage = ({ isEverywhere, isPage, keys }: Shortcut) => !isEverywhere || (!isPage && keys !== KEYS.keys)
  const everywhere = [...shown.filter(one => !isOfPage(one)), { keys: 'Ctrl K', title: 'Search and actions' }]
  return (
    <Dialog title="Keys" onClose={() => setShown(undefined)}>
      <KeyList title="On this page" keys={shown.filter(isOfPage)} />
      <KeyList title="On every page" keys={everywhere} />
    </Dialog>
  )
}

const KeyList = ({ title, keys: list }: { title: string; keys: readonly Pick<Shortcut, 'keys' | 'title'>[] }) => (
  <section class="key-map" aria-label={title}>
    <h3>{title}</h3>
    {list.length === 0 && <p class="soft">This page has no keys of its own.</p>}
    <dl>
      {[...Map.groupBy(list, one => one.title)].map(([does, ways]) => (
        <div key={does}>
          <dt>
            {ways
              .flatMap(({ keys }) => formatKeys(keys).split(' '))
              .map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </section>
)

const SIGNS: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' }

/** The keys as they are written on a keyboard. */
export const formatKeys = (keys: string): string =>
  keys
    .split(/[ +]/)
    .map(key => SIGNS[key] ?? key)
    .join(' ')
