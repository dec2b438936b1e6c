import { useId, useRef, useState } from 'preact/hooks'
import { type AccentVariants, accentVariants, contrast, OWN_COLOR } from '../../../src/careers/accent-variants.ts'
import { COUNTRY_CODES } from '../../../src/contract/countries.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Field, Form, SelectField, TextField, useSubmit } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { ENTERED, useLeaveGuard } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { href, type Read, send } from '../api.ts'

type CareersSiteResponse = Read<'/careers-site'>

export interface SiteProps {
  site: CareersSiteResponse
  reload: () => void
}

const FIELDS = [
  'display_name',
  'headline',
  'introduction_md',
  'accent_color',
  'website_url',
  'privacy_url',
  'imprint_url',
  'contact_email',
  'country',
] as const
type Fields = Record<(typeof FIELDS)[number], string>

const fieldsOf = (site: CareersSiteResponse) =>
  Object.fromEntries(FIELDS.map(name => [name, site[name] ?? ''])) as Fields

const names = new Intl.DisplayNames('en', { type: 'region' })
const COUNTRIES: readonly (readonly [string, string])[] = [
  ['', 'None'],
  ...COUNTRY_CODES.map(code => [code, names.of(code) ?? code] as const).sort((a, b) => a[1].localeCompare(b[1], 'en')),
]

function colorOf({ accent_color }: Fields): string {
  const color = accent_color.trim().toLowerCase()
  return /^#[0-9a-f]{6}$/.test(color) ? color : OWN_COLOR
}

export function Look({ site, reload }: SiteProps) {
  const [fields, setFields] = useState(fieldsOf(site))
  const { busy, error, fault, submit } = useSubmit()
  const saved = fieldsOf(site)
  const changed = FIELDS.filter(name => fields[name].trim() !== saved[name].trim())
  useLeaveGuard(changed.length > 0 && ENTERED)
  const set = (name: keyof Fields) => (value: string) => setFields(before => ({ ...before, [name]: value }))
  return (
    <Section title="Name and look">
      <div class="look">
        <Form
          class="panel"
          onSubmit={() =>
            submit(async () => {
              const given = changed.map(name => [name, fields[name].trim() === '' ? null : fields[name].trim()])
              setFields(fieldsOf(await send('/careers-site', Object.fromEntries(given))))
              toast('Careers site saved')
              reload()
            })
          }
        >
          <Logo site={site} reload={reload} />
          <TextFields fields={fields} set={set} fault={fault} site={site} />
          <ColorField fields={fields} set={set} fault={fault} />
          <LinkFields fields={fields} set={set} fault={fault} />
          <FormError error={error} marked />
          <div class="actions">
            <Button kind="primary" type="submit" busy={busy} disabled={changed.length === 0}>
              Save
            </Button>
          </div>
        </Form>
        <section class="look-previews" aria-label="Preview">
          {(['light', 'dark'] as const).map(theme => (
            <Preview
              key={theme}
              theme={theme}
              site={site}
              name={fields.display_name.trim() || site.workspace_name}
              headline={fields.headline.trim()}
              color={colorOf(fields)}
            />
          ))}
        </section>
      </div>
    </Section>
  )
}

interface FieldsProps {
  fields: Fields
  set: (name: keyof Fields) => (value: string) => void
  fault: (param: string) => string | undefined
}

const TextFields = ({ fields, set, fault, site }: FieldsProps & Pick<SiteProps, 'site'>) => (
  <>
    <TextField
      label="Name of the company"
      value={fields.display_name}
      onInput={set('display_name')}
      placeholder={site.workspace_name}
      maxLength={200}
      hint="Leave empty to use the name of the workspace."
      fault={fault('display_name')}
    />
    <TextField
      label="Headline"
      value={fields.headline}
      onInput={set('headline')}
      maxLength={200}
      hint="One line above your jobs, up to 200 characters."
      fault={fault('headline')}
    />
    <TextField
      label="Introduction"
      value={fields.introduction_md}
      onInput={set('introduction_md')}
      rows={8}
      maxLength={20_000}
      hint="Markdown, up to 20,000 characters: paragraphs, **bold**, lists and [links](https://…). Simple HTML such as <b> works, all other tags are removed. Pictures are left out."
      fault={fault('introduction_md')}
    />
  </>
)

const ColorField = ({ fields, set, fault }: FieldsProps) => (
  <Field
    label="Accent color"
    hint="Six hexadecimal digits, such as #0a7f5c. Leave empty for the color of the service."
    fault={fault('accent_color')}
  >
    {control => (
      <div class="color-field">
        <input
          {...control}
          class="mono"
          value={fields.accent_color}
          placeholder={OWN_COLOR}
          maxLength={7}
          onInput={event => set('accent_color')(event.currentTarget.value)}
        />
        <input
          type="color"
          aria-label="Choose the accent color"
          value={colorOf(fields)}
          onInput={event => set('accent_color')(event.currentTarget.value)}
        />
      </div>
    )}
  </Field>
)

/** Where the site leads to: pages, an address, and the country of its jobs. */
const LinkFields = ({ fields, set, fault }: FieldsProps) => (
  <>
    <div class="field-row">
      <TextField
        label="Website"
        type="url"
        value={fields.website_url}
        onInput={set('website_url')}
        placeholder="https://example.com"
        hint="Linked at the end of each page."
        fault={fault('website_url')}
      />
      <TextField
        label="Privacy notice"
        type="url"
        value={fields.privacy_url}
        onInput={set('privacy_url')}
        placeholder="https://example.com/privacy"
        hint="Linked at the end of each page and in the form."
        fault={fault('privacy_url')}
      />
    </div>
    <TextField
      label="Imprint"
      type="url"
      value={fields.imprint_url}
      onInput={set('imprint_url')}
      placeholder="https://example.com/imprint"
      hint="Linked at the end of each page. German law requires one."
      fault={fault('imprint_url')}
    />
    <TextField
      label="Contact address"
      type="email"
      value={fields.contact_email}
      onInput={set('contact_email')}
      placeholder="jobs@example.com"
      maxLength={254}
      hint="Shown at the end of each page. Replies to emails of this site go there; without it no one receives them."
      fault={fault('contact_email')}
    />
    <SelectField
      label="Country"
      value={fields.country}
      options={COUNTRIES}
      onInput={set('country')}
      hint={
        fields.country === ''
          ? 'Google and others list only jobs whose country is known. Without one here, remote jobs without a location are not listed.'
          : 'The country of remote jobs without a location. It also decides where a name can mean two places, such as “Cambridge”.'
      }
      fault={fault('country')}
    />
  </>
)

const LOGO_BYTES = 512 * 1024

function Logo({ site, reload }: SiteProps) {
  const input = useRef<HTMLInputElement>(null)
  const { busy, error, fault, submit } = useSubmit()
  const [tooLarge, setTooLarge] = useState(false)
  const id = useId()
  const wrong = tooLarge ? 'must be at most 512 KB' : fault('logo')
  const upload = (file: File | undefined) => {
    setTooLarge(file !== undefined && file.size > LOGO_BYTES)
    if (!file || file.size > LOGO_BYTES) return
    submit(async () => {
      await send('/careers-site/logo', file)
      toast('Logo saved')
      reload()
    })
  }
  return (
    <div class="field">
      <label for={id}>Logo</label>
      <div class="logo-field">
        {site.logo_version && <img src={logoUrl(site)} alt="Current logo" />}
        <input
          ref={input}
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          aria-describedby={wrong ? `${id}-hint ${id}-fault` : `${id}-hint`}
          aria-invalid={wrong ? true : undefined}
          onChange={event => {
            upload(event.currentTarget.files?.[0])
            event.currentTarget.value = ''
          }}
        />
        {site.logo_version && (
          <Button
            small
            busy={busy}
            onClick={() =>
              submit(async () => {
                await send('/careers-site/logo/remove')
                toast('Logo removed')
                reload()
                input.current?.focus()
              })
            }
          >
            Remove logo
          </Button>
        )}
      </div>
      <div class="hint" id={`${id}-hint`}>
        PNG, JPEG or WebP, at most 512 KB and 2000 × 2000 pixels. It is saved immediately.
      </div>
      <div role="alert">
        {wrong && (
          <div class="fault" id={`${id}-fault`}>
            The logo {wrong}.
          </div>
        )}
      </div>
      {!wrong && <FormError error={error} />}
      {site.logo_notes.length > 0 && (
        <Notice tone="warn">
          {site.logo_notes.map(note => (
            <p key={note}>{note}</p>
          ))}
        </Notice>
      )}
    </div>
  )
}

const logoUrl = (site: CareersSiteResponse) => href('/careers-site/logo', { v: site.logo_version ?? '' })

interface PreviewProps {
  theme: 'light' | 'dark'
  site: CareersSiteResponse
  name: string
  headline: string
  color: string
}

/** The least contrast of text that WCAG 2.2 accepts at level AA. */
const READABLE = 4.5
const PAGE = { light: '#ffffff', dark: '#0f1218' } as const

/** The top of the site in one theme, in the colours that it will have. */
function Preview({ theme, site, name, headline, color }: PreviewProps) {
  const used = accentVariants(color, theme)
  const rows = [
    ['Text on buttons', contrast(used.fill, used.onFill)],
    ['Links', contrast(used.text, PAGE[theme])],
  ] as const
  const id = useId()
  return (
    <figure class={`look-preview ${theme}`} aria-labelledby={id}>
      <figcaption id={id}>{theme === 'light' ? 'Light' : 'Dark'}</figcaption>
      <div class="look-page" style={propertiesOf(used)}>
        <div class="look-top">{site.logo_version ? <img src={logoUrl(site)} alt={name} /> : <b>{name}</b>}</div>
        <p class="look-headline">{headline || `Careers at ${name}`}</p>
        <p>
          <span class="look-link">Senior engineer</span>
        </p>
        <span class="look-button">Apply</span>
      </div>
      <ul class="contrasts">
        {rows.map(([what, ratio]) => (
          <li key={what}>
            {what}: <b>{ratio.toFixed(1)} : 1</b> {ratio >= READABLE ? 'readable' : 'too low'}
          </li>
        ))}
        {used.text !== color && (
          <li>
            Links are {theme === 'light' ? 'darkened' : 'lightened'} so that they can be read. Buttons keep the color.
          </li>
        )}
      </ul>
    </figure>
  )
}

const propertiesOf = ({ text, fill, onFill }: AccentVariants) => ({
  '--look-text': text,
  '--look-fill': fill,
  '--look-on-fill': onFill,
})
