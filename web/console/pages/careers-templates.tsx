import { useState } from 'preact/hooks'
import { fillTemplate } from '../../../src/contract/mail-template.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, FormError } from '../../ui/dialog.tsx'
import { Form, Segments, TextField, useSubmit } from '../../ui/form.tsx'
import { Variables } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { ENTERED, useLeaveGuard } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send } from '../api.ts'
import type { SiteProps } from './careers-look.tsx'

type CareersSiteResponse = Read<'/careers-site'>

/** The email that a candidate gets after applying, by language. */
export function Templates({ site, reload }: SiteProps) {
  const [language, setLanguage] = useState(site.languages[0]!.code)
  return (
    <Section
      title="Email after an application"
      description="Sent to every person who applies. A language without a text of yours uses that of the service."
      actions={
        <Segments
          label="Language of the email"
          value={language}
          options={site.languages.map(({ code, name }) => [code, name])}
          onInput={setLanguage}
        />
      }
    >
      {/* each language keeps what was typed while another is in sight */}
      {site.languages.map(each => (
        <div key={each.code} hidden={each.code !== language}>
          <Template site={site} reload={reload} {...each} />
        </div>
      ))}
    </Section>
  )
}

type Language = CareersSiteResponse['languages'][number]

function Template({ site, reload, ...language }: SiteProps & Language) {
  const { code, name } = language
  const textIn = ({ confirmations }: CareersSiteResponse) => confirmations[code] ?? { subject: '', body: '' }
  const saved = textIn(site)
  const [subject, setSubject] = useState(saved.subject)
  const [body, setBody] = useState(saved.body)
  const [removing, setRemoving] = useState(false)
  const { busy, error, fault, submit } = useSubmit()
  const changed = subject !== saved.subject || body !== saved.body
  useLeaveGuard(changed && ENTERED)
  const isEmpty = subject.trim() === '' && body.trim() === ''
  return (
    <div class="look">
      <Form
        class="panel"
        onSubmit={() =>
          submit(async () => {
            const next = textIn(await send('/careers-site', { confirmations: { [code]: { subject, body } } }))
            setSubject(next.subject)
            setBody(next.body)
            toast(`Email in ${name} saved`)
            reload()
          })
        }
      >
        <TextField
          label={`Subject (${name})`}
          value={subject}
          onInput={setSubject}
          maxLength={200}
          fault={fault(`confirmations.${code}.subject`)}
        />
        <TextField
          label={`Text (${name})`}
          value={body}
          onInput={setBody}
          rows={10}
          maxLength={10_000}
          hint={
            <>
              Plain text, up to 10,000 characters. <Variables />. The service adds the link to the candidate's own page.
            </>
          }
          fault={fault(`confirmations.${code}.body`)}
        />
        <FormError error={error} marked />
        <div class="actions">
          <Button
            kind="primary"
            type="submit"
            busy={busy}
            disabled={!changed || subject.trim() === '' || body.trim() === ''}
          >
            Save email
          </Button>
          {site.confirmations[code] && <Button onClick={() => setRemoving(true)}>Use the text of the service</Button>}
        </div>
      </Form>
      <Preview
        language={language}
        isOwn={!isEmpty}
        text={isEmpty ? language.standard : { subject, body }}
        company={site.display_name ?? site.workspace_name}
        onStart={() => {
          setSubject(language.standard.subject)
          setBody(language.standard.body)
        }}
      />
      {removing && (
        <Confirm
          title={`Use the text of the service (${name})`}
          action="Remove your text"
          danger
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await send('/careers-site', { confirmations: { [code]: null } })
            setRemoving(false)
            setSubject('')
            setBody('')
            toast('Text removed')
            reload()
          }}
        >
          <p>Your subject and text in this language are deleted.</p>
        </Confirm>
      )}
    </div>
  )
}

interface PreviewProps {
  language: Language
  /** the workspace has a text of its own */
  isOwn: boolean
  text: { subject: string; body: string }
  company: string
  /** takes the text of the service as one's own */
  onStart: () => void
}

function Preview({ language: { code, name, sample_job }, isOwn, text, company, onStart }: PreviewProps) {
  const sample = { first_name: 'Ada', job_title: sample_job, company }
  return (
    <section class="mail-preview panel" aria-label={`Preview (${name})`}>
      {!isOwn && <p class="soft">Candidates get the text of the service in this language:</p>}
      <div lang={code}>
        <p class="mail-subject">{fillTemplate(text.subject, sample)}</p>
        <p class="as-written">{fillTemplate(text.body, sample)}</p>
      </div>
      {!isOwn && (
        <Button small onClick={onStart}>
          Start from this text
        </Button>
      )}
    </section>
  )
}
