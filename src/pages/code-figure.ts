import { join } from 'node:path'
import { asset } from './assets.ts'
import { type Html, html } from './html.ts'

/** The script behind the button of `codeFigure`. */
export const COPY = asset(join(import.meta.dirname, 'assets/copy.js'))

/** A block of code with its title and a button to copy it, which is hidden where there are no scripts. */
export const codeFigure = (title: string, code: Html): Html =>
  html`<figure class="code"><figcaption><span>${title}</span><button type="button" class="copy" data-copy hidden>Copy</button></figcaption><pre tabindex="0" aria-label="${title}"><code>${code}</code></pre></figure>`
