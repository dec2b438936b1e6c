/**
 * The hiring pages: Preact, built by `src/pages/build-programs.ts`, served under /hiring.
 *
 * - Records come from the API itself, called as the person who is signed in: `/v1/jobs` is `GET /jobs`, with the types of
 *   the SDK. What the API does not have comes from `src/hiring/<area>.ts`, its types through `api.ts`.
 * - A page is a component in `pages/` and a line in `pages.ts`; it is loaded when it is first opened.
 * - The address is the state: filters, view, open candidate. Everything else is what `web/console/main.tsx` says.
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
import '../ui/css/narrow.css'
import './css/hiring.css'
import { explainErrors } from '../ui/api.ts'
import { App } from '../ui/app.tsx'
import { shown, showTimeZone } from '../ui/language.ts'
import { drawInOwnFont } from '../ui/own-font.ts'
import { CommandButton } from './command-bar.tsx'
import { toSentence } from './error-sentences.ts'
import { Everywhere } from './everywhere.tsx'
import { HiringLinks } from './links.tsx'
import { NAV_GROUPS, PAGES } from './pages.ts'
import type { Session } from './session.ts'
import { SideButton } from './side-button.tsx'
import { loadTexts, t } from './texts/index.ts'

const program = {
  name: 'Hiring',
  pages: PAGES,
  groups: NAV_GROUPS,
  groupTitle: (group: string) => (group === 'Sourcing' ? t.common.nav.sourcing : t.common.nav.workspace),
  accountPage: '/settings/account',
  onSession: ({ time_zone }: Session) => showTimeZone(time_zone),
  top: CommandButton,
  links: HiringLinks,
  sideButton: SideButton,
  extra: Everywhere,
}

explainErrors(toSentence)
// the server has chosen it: that of the account, else of the browser; without the file the pages are English
await loadTexts(document.documentElement.lang).catch(() => loadTexts('en'))
document.documentElement.lang = shown.language
drawInOwnFont()
render(<App program={program} />, document.getElementById('app')!)
