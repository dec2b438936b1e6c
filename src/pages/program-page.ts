import type { RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import { assetRoute } from './assets.ts'
import { ASSETS_BASE, builtPrograms, type Program, type ProgramName, programIn } from './build-programs.ts'
import { document } from './document.ts'
import { type Html, html } from './html.ts'
import { ICON, PRODUCT, STYLES, THEME } from './page.ts'

const read = async (services: Services, name: ProgramName): Promise<Program> =>
  programIn((await builtPrograms(services.config.DATA_DIR)).directory, name)

interface ProgramPage {
  program: ProgramName
  /** default: English */
  language?: string
  title: string
  /** shown to people without JavaScript */
  withoutScripts: Html
}

/** The document of a program: the same for all of its addresses; its script draws the pages. */
export async function programPage(
  services: Services,
  { program, language = 'en', title, withoutScripts }: ProgramPage,
): Promise<Html> {
  const { script, styles } = await read(services, program)
  return document({
    language,
    title: `${title} · ${PRODUCT}`,
    head: html`<link rel="icon" href="${ICON}" type="image/svg+xml">
${[...STYLES, ...styles].map(href => html`<link rel="stylesheet" href="${href}">`)}
<script src="${THEME}"></script>
<script type="module" src="${script}"></script>`,
    body: html`
<div id="app"></div>
<noscript><p class="lone">${withoutScripts}</p></noscript>
`,
  })
}

/** A document for a sandboxed frame: `body` and the script that fills it, without the frame of a program. */
export async function framePage(services: Services, program: ProgramName, title: string, body: Html): Promise<Html> {
  const { script, styles } = await read(services, program)
  return document({
    title,
    head: html`${[STYLES[0], ...styles].map(href => html`<link rel="stylesheet" href="${href}">`)}
<script type="module" src="${script}"></script>`,
    body,
  })
}

/**
 * The files of all programs: code that anyone may read. A module of a document without an origin is loaded only if its
 * response allows every origin.
 */
export const programFiles = (services: Services): RawRoute =>
  assetRoute(`${ASSETS_BASE}assets/`, async name => (await read(services, 'console')).asset(name), {
    'Access-Control-Allow-Origin': '*',
  })
