import { useState } from 'preact/hooks'
import { Dialog } from '../ui/dialog.tsx'
import { activeShortcuts, type Shortcut, useShortcuts } from '../ui/keys.ts'
import { navigate } from '../ui/router.tsx'
import { PAGES } from './pages.ts'
import { useSession } from './session.ts'

/** `?`: every key that does something on this page. Also the keys that work on every page. */
export function KeyMap() {
  const session = useSession()
  const [shown, setShown] = useState<Shortcut[]>()
  const go: Shortcut[] = PAGES.filter(({ nav }) => nav?.key && (nav.when?.(session) ?? true)).map(({ path, nav }) => ({
    keys: `g ${nav!.key}`,
    title: `Go to ${nav!.title}`,
    run: () => navigate(path),
  }))
  useShortcuts([...go, { keys: '?', title: 'Show the keys of this page', run: () => setShown(activeShortcuts()) }])
  if (!shown) return null
  return (
    <Dialog title="Keys" onClose={() => setShown(undefined)}>
      <dl class="key-map">
        {[...shown, { keys: 'Ctrl K', title: 'Search, or do something', run: () => {} }].map(({ keys, title }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{title}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
