/**
 * The console's front end: Preact, built by `src/pages/build-programs.ts`, served under /console.
 *
 * How a page is added:
 * 1. Its data: endpoints in `src/console/<area>.ts` (`get`, `list`, `post`), listed in `src/console/routes.ts`.
 * 2. The page: a component in `pages/<area>.tsx`. It reads with `useData` (one response) or `usePages` (a list that loads
 *    on) and writes with `send`, all of `api.ts`, which has the types of the endpoints. It is put together from `ui/*`:
 *    `ListPage`, `PageHead`, `DataTable`, `SmallTable`, `Form`, `Field`, `FormDialog`, `Confirm`, `RotateDialog`,
 *    `IssuedSecret`, `ScopePicker`, `Chart`. Filters live in the address (`useFilters`), so that a view can be sent to a
 *    colleague.
 * 3. A line in `pages.ts`: path, and its position in the navigation.
 *
 * There is no inline style or script in the document (the Content-Security-Policy forbids it), no request to another
 * host, and no secret is kept anywhere: what is shown once lives in the state of the component that shows it.
 */
import { render } from 'preact'
import '../ui/css/base.css'
import '../ui/css/shell.css'
import '../ui/css/page.css'
import '../ui/css/table.css'
import '../ui/css/form.css'
import '../ui/css/float.css'
import '../ui/css/chart.css'
import '../ui/css/record.css'
import './css/alert.css'
import './css/careers.css'
import './css/company-sign-in.css'
import '../ui/css/narrow.css'
import { App } from '../ui/app.tsx'
import { drawInOwnFont } from '../ui/own-font.ts'
import { ConsoleLinks } from './links.tsx'
import { NAV_GROUPS, PAGES } from './pages.ts'

const program = { name: 'Console', pages: PAGES, groups: NAV_GROUPS, links: ConsoleLinks }

drawInOwnFont()
render(<App program={program} />, document.getElementById('app')!)
