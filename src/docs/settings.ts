import { SETTINGS } from '../kernel/config/settings.ts'
import { html, prose } from '../pages/html.ts'
import type { DocPage } from './layout.ts'

export const settingsPage = (): DocPage => ({
  path: '/docs/settings',
  title: 'Settings',
  description: 'Every setting of the service, with its default.',
  body: html`<h1>Settings</h1>
<p class="lead">For those who run the service. Set them in the environment or in a file <code>.env</code> in the working folder; the environment wins. A start with an invalid setting fails and reports every fault.</p>
<p>${prose('`npx hiring doctor` prints the settings in effect, without secrets.')} <a href="/docs/operating">Operating</a> explains how to use them.</p>
<dl class="entries">${Object.entries(SETTINGS).map(
    ([name, setting]) =>
      html`<div id="${name}"><dt><code>${name}</code>${'secret' in setting && html` <span class="tag">secret</span>`}</dt><dd>${setting.description}<br><span class="small soft">Default: ${setting.default}</span></dd></div>`,
  )}</dl>`,
})
