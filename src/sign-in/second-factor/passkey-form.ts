import { join } from 'node:path'
import { asset } from '../../pages/assets.ts'
import { type Html, html, type Part } from '../../pages/html.ts'

/** For pages with a form of `passkeyForm`. */
export const PASSKEY_SCRIPT = asset(join(import.meta.dirname, '../assets/passkeys.js'))

/** A form that a browser with passkeys shows. Its button asks for one; what the passkey signed is sent to `action`. */
export const passkeyForm = (form: {
  /** make one, or use one */
  kind: 'create' | 'get'
  action: string
  /** where the browser gets the challenge */
  options: string
  /** hidden fields */
  hidden: Part
  fields?: Part
  label: string
  button?: 'secondary' | ''
}): Html => html`<form method="post" action="${form.action}" data-passkey="${form.kind}" data-options="${form.options}" hidden>
  ${form.hidden}<input type="hidden" name="credential" value="">
  ${form.fields}
  <div class="actions"><button class="button ${form.button ?? 'secondary'}" type="submit">${form.label}</button></div>
  <div class="notice bad" role="alert" data-note hidden></div>
</form>`
