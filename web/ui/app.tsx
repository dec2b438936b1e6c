import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type ApiError, loadSession, watchSession } from './api.ts'
import { Button } from './button.tsx'
import { ConfirmIdentity } from './confirm-identity.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Icon } from './icons.tsx'
import { Empty, ErrorNote, Notice } from './notice.tsx'
import { PageHead } from './page.tsx'
import { navigationFor, type PageEntry, textOf } from './page-entry.tsx'
import { Link, savedScroll, useAddress, useLeaving } from './router.tsx'
import { SessionContext, type SignedIn } from './session.ts'
import { ui } from './texts/index.ts'
import { ThemeButton } from './theme-button.tsx'
import { Toasts } from './toast.tsx'

/** One of the programs for people who are signed in: the console, or the hiring pages. */
export interface Program<S extends SignedIn> {
  /** `Console`: in the title of the window and of the navigation */
  name: string
  pages: readonly PageEntry<S>[]
  /** groups of the navigation, in their order; '' has no title */
  groups: readonly string[]
  /** what a group is called where its name is not shown */
  groupTitle?: (group: string) => string
  /** above the navigation */
  top?: ComponentType
  /** below the navigation, above the links that every program has */
  links?: ComponentType
  /** next to the button of the theme */
  sideButton?: ComponentType
  /** its own page about the person who is signed in; default: that of signing in */
  accountPage?: string
  /** called before the pages are drawn */
  onSession?: (session: S) => void
  /** drawn once next to the pages, such as a command bar */
  extra?: ComponentType
}

export function App<S extends SignedIn>({ program }: { program: Program<S> }) {
  const [session, setSession] = useState<S>()
  const [error, setError] = useState<ApiError>()
  useEffect(() => {
    loadSession<S>().then(found => {
      program.onSession?.(found)
      setSession(found)
    }, setError)
    return watchSession()
  }, [])
  if (error) {
    return (
      <main class="lone">
        <h1>{program.name} could not be loaded</h1>
        <ErrorNote error={error} retry={() => location.reload()} />
      </main>
    )
  }
  if (!session) return <div class="boot" role="status" aria-label={ui.loading} />
  return (
    <SessionContext.Provider value={session}>
      <Shell session={session} program={program} />
    </SessionContext.Provider>
  )
}

function Shell<S extends SignedIn>({ session, program }: { session: S; program: Program<S> }) {
  const { path } = useAddress()
  const [menu, setMenu] = useState(false)
  const main = useRef<HTMLElement>(null)
  const drawn = useRef(path)
  const found = program.pages.map(page => ({ page, content: page.draw(path) })).find(({ content }) => content)

  useFocusKept(main)
  useLayoutEffect(() => {
    if (drawn.current === path) return
    drawn.current = path
    scrollTo(0, savedScroll())
    // Screen readers must announce that the page has changed. Not after it is shown: by then a quick
    // hand may have the focus elsewhere.
    const first = main.current?.querySelector<HTMLElement>('[data-autofocus]') ?? main.current?.querySelector('h1')
    first?.focus({ preventScroll: true })
  }, [path])
  useEffect(() => {
    if (!menu) return
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setMenu(false)
    }
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [menu])

  return (
    <div class={menu ? 'shell menu-open' : 'shell'}>
      <a class="skip" href="#content">
        {ui.skip}
      </a>
      <header class="bar">
        <button
          type="button"
          class="icon-button"
          aria-expanded={menu}
          aria-controls="side"
          aria-label={ui.navigation}
          onClick={() => setMenu(!menu)}
        >
          <Icon name={menu ? 'close' : 'menu'} />
        </button>
        <span class="bar-name">{session.workspace.name}</span>
        <ThemeButton />
      </header>
      <Side session={session} program={program} path={path} onGo={() => setMenu(false)} />
      {session.workspace.environment === 'test' && (
        <p class="test-mark" role="note">
          {ui.testWorkspace}
        </p>
      )}
      {menu && <button type="button" class="veil" aria-label={ui.closeNavigation} onClick={() => setMenu(false)} />}
      <main id="content" ref={main} tabIndex={-1}>
        {found ? (
          <Contained key={found.page.isKept ? found.page.path : path} path={path}>
            {found.content}
          </Contained>
        ) : (
          <>
            <PageHead title="Not found" />
            <Empty title="This page does not exist">
              <Link to="/">Go to the first page</Link>
            </Empty>
          </>
        )}
      </main>
      {program.extra && <program.extra />}
      <LeaveDialog />
      <ConfirmIdentity />
      <Toasts />
    </div>
  )
}

interface SideProps<S extends SignedIn> {
  session: S
  program: Program<S>
  path: string
  onGo: () => void
}

/** The workspace, the navigation of the program, and who is signed in. */
const Side = <S extends SignedIn>({ session, program, path, onGo }: SideProps<S>) => (
  <div class="side" id="side">
    <div class="side-head">
      <Mark />
      <div class="side-names">
        <b>{session.workspace.name}</b>
        <span>{session.workspace.plan ? `${session.workspace.plan.name} plan` : 'No plan'}</span>
      </div>
    </div>
    {program.top && <program.top />}
    <nav aria-label={program.name}>
      {program.groups.map(group => {
        const entries = navigationFor(program.pages, session).filter(entry => entry.group === group)
        if (entries.length === 0) return null
        return (
          <div class="side-group" key={group}>
            {group && <h2>{program.groupTitle?.(group) ?? group}</h2>}
            <ul>
              {entries.map(({ path: to, title, icon, badge: Badge, below = to }) => (
                <li key={to} title={textOf(title)}>
                  <Link to={to} current={to === path || isBelow(path, below)} onClick={onGo}>
                    <Icon name={icon} />
                    <span>{textOf(title)}</span>
                    {Badge && <Badge />}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
    <div class="side-foot">
      {program.links && <program.links />}
      <a href="/docs" title={ui.documentation}>
        <Icon name="book" />
        <span>{ui.documentation}</span>
      </a>
      {program.accountPage ? (
        <Link to={program.accountPage} label={ui.account} current={path === program.accountPage} onClick={onGo}>
          <Icon name="session" />
          <span>{ui.account}</span>
        </Link>
      ) : (
        <a href="/account" title={ui.account}>
          <Icon name="session" />
          <span>{ui.account}</span>
        </a>
      )}
      <form method="post" action="/sign-out">
        <input type="hidden" name="csrf" value={session.csrf_token} />
        <button type="submit" title={ui.signOut}>
          <Icon name="out" />
          <span>{ui.signOut}</span>
        </button>
      </form>
      <div class="who">
        <div class="side-names">
          <b>{session.user.name}</b>
          <span title={session.user.email}>{session.user.email}</span>
        </div>
        <ThemeButton />
        {program.sideButton && <program.sideButton />}
      </div>
    </div>
  </div>
)

/** Asks before what was entered is lost. */
function LeaveDialog() {
  const [leaving, stay] = useLeaving()
  if (!leaving) return null
  return (
    <Dialog title={ui.leaveTitle} onClose={stay}>
      <p>{leaving.question}</p>
      <DialogActions>
        <Button onClick={stay}>{ui.stay}</Button>
        <Button
          kind="danger"
          onClick={() => {
            stay()
            leaving.leave()
          }}
        >
          {ui.leave}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const isBelow = (path: string, parent: string): boolean => parent !== '/' && path.startsWith(`${parent}/`)

/** A page that breaks says so, and leaves the rest of the program usable. */
function Contained({ path, children }: { path: string; children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary(failure => console.error(failure))
  // what broke for one record may be fine for another
  useEffect(() => {
    if (error) reset()
  }, [path])
  if (!error) return <>{children}</>
  return (
    <>
      <PageHead title="This page could not be loaded" />
      <Notice tone="bad">
        <p>An error occurred in the page: {String(error.message ?? error)}</p>
        <p>
          <Button small onClick={() => location.reload()}>
            Reload
          </Button>
        </p>
      </Notice>
    </>
  )
}

/**
 * Keyboard users keep their place: where the element with the focus is taken away (a button that is
 * done for, a form that gives way to its result), the heading of the page gets it and is read out.
 */
function useFocusKept(main: { current: HTMLElement | null }): void {
  useEffect(() => {
    if (!main.current) return
    let last: Element | null = null
    const trackFocus = (event: FocusEvent) => {
      last = event.target as Element
    }
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return
      last = null
      // in a long list the row was only scrolled out of sight
      if (!main.current?.querySelector('tr.gap')) main.current?.querySelector('h1')?.focus({ preventScroll: true })
    })
    document.addEventListener('focusin', trackFocus)
    observer.observe(main.current, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', trackFocus)
      observer.disconnect()
    }
  }, [main])
}

const Mark = () => (
  <svg class="mark" viewBox="0 0 24 24" width="28" height="28" aria-hidden="true">
    <rect width="24" height="24" rx="6" fill="currentColor" />
    <path
      d="M7 6v12M7 12h7a3 3 0 0 1 3 3v3M17 6v3"
      fill="none"
      stroke="var(--paper)"
      stroke-width="2.4"
      stroke-linecap="round"
    />
  </svg>
)
