import { join } from 'node:path'
import { asset } from '../pages/assets.ts'
import { html } from '../pages/html.ts'
import type { DocPage } from './layout.ts'

const CHECKER = asset(join(import.meta.dirname, '../pages/assets/check-signature.js'))
const FORM_SCRIPT = asset(join(import.meta.dirname, 'assets/signature.js'))

/** The check of a webhook's signature, for everyone. No field has a name and the page can send nothing. */
export const signaturePage = (): DocPage => ({
  path: '/docs/signature',
  title: 'Signature check',
  description: 'Paste a webhook delivery and see why its signature does not match.',
  names: ['check a signature', 'signature checker', 'signature verifier', 'debug signature'],
  isolatedScripts: [FORM_SCRIPT],
  body: html`<h1>Signature check</h1>
<p class="lead">Paste what your receiver got. The check runs in your browser: the page cannot send requests, so the secret does not leave it.</p>
<noscript><p class="notice warn">The check needs JavaScript. Without it, compare with the receivers in the <a href="/docs/guides/webhooks">webhooks guide</a>.</p></noscript>
<form class="signature" data-signature data-checker="${CHECKER}" hidden>
<div class="field"><label for="signature-header">Service-Signature header</label><input id="signature-header" class="mono" autocomplete="off" spellcheck="false" placeholder="t=1763190000,v1=…" required></div>
<div class="field"><label for="signature-body">Raw body</label><textarea id="signature-body" class="mono" rows="8" autocomplete="off" spellcheck="false" aria-describedby="signature-body-hint" required></textarea><p class="small soft" id="signature-body-hint">As received, before parsing.</p></div>
<div class="field"><label for="signature-secret">Signing secret</label><input id="signature-secret" class="mono" autocomplete="off" spellcheck="false" placeholder="whsec_…" required></div>
<div class="actions"><button class="button">Check</button><button class="button secondary" type="button" data-signature-example>Fill in an example</button></div>
</form>
<div data-signature-result aria-live="polite"></div>
<h2 id="what-it-finds">What it finds</h2>
<ul>
<li>a body that was parsed and serialized again, or got a line break, spaces or a byte order mark</li>
<li>a secret that is incomplete, lacks <code>whsec_</code>, or belongs to another endpoint</li>
<li>a header that was cut off, and a time in milliseconds</li>
<li>a time outside the tolerance of 300 seconds</li>
</ul>
<p><a href="/docs/guides/webhooks#check-the-signature">How a signature is made</a>. In the console, owners and admins have the same check; it also compares the body with what was sent.</p>`,
})
