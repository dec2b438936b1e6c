import { useState } from 'preact/hooks'
import { checkSignature, eventIdOf, type Verdict } from '../../../src/pages/assets/check-signature.js'
import { Button } from '../../ui/button.tsx'
import { Form, TextField, useSubmit } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { read } from '../api.ts'

export function SignaturePage() {
  const [header, setHeader] = useState('')
  const [body, setBody] = useState('')
  const [secret, setSecret] = useState('')
  const [verdict, setVerdict] = useState<Verdict>()
  const { busy, submit } = useSubmit()
  const check = () =>
    submit(async () => {
      const original = await sentBody(body)
      setVerdict(await checkSignature({ header, body, secret, original, nowSeconds: Math.floor(Date.now() / 1000) }))
    })
  const edit = (set: (value: string) => void) => (value: string) => {
    set(value)
    setVerdict(undefined)
  }
  return (
    <>
      <PageHead
        title="Check a signature"
        description="Paste what a receiver got. The check runs in your browser; the secret is not sent anywhere."
        back={{ to: '/webhooks', title: 'Webhook endpoints' }}
      />
      {/* browsers compute signatures only in secure contexts */}
      {!isSecureContext && (
        <Notice tone="warn">
          <p>The check needs HTTPS or localhost.</p>
        </Notice>
      )}
      <Form class="panel" onSubmit={check}>
        <TextField
          label="Service-Signature header"
          value={header}
          onInput={edit(setHeader)}
          mono
          required
          placeholder="t=1763190000,v1=…"
          autoComplete="off"
        />
        <TextField
          label="Raw body"
          value={body}
          onInput={edit(setBody)}
          rows={8}
          mono
          required
          hint="As received, before parsing."
        />
        <TextField
          label="Signing secret"
          value={secret}
          onInput={edit(setSecret)}
          mono
          required
          placeholder="whsec_…"
          autoComplete="off"
        />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={!isSecureContext}>
            Check
          </Button>
        </div>
      </Form>
      <div aria-live="polite">
        {verdict && (
          <div class={`notice ${verdict.accepted ? 'good' : 'bad'}`}>
            <p>
              <b>{verdict.accepted ? 'A receiver accepts this.' : 'A receiver must reject this.'}</b>
            </p>
            <ul class="findings">
              {verdict.findings.map(({ tone, text }) => (
                <li key={text} class={tone}>
                  {text}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </>
  )
}

/** What we sent for the event in the body, if it is still kept: only its id is asked for. */
async function sentBody(body: string): Promise<string | undefined> {
  const id = eventIdOf(body)
  if (!id) return undefined
  try {
    const log = await read('/deliveries', { event_id: id, limit: 1 })
    const delivery = log.data[0]
    if (delivery) return (await read('/deliveries/{id}', { id: delivery.id })).payload ?? undefined
    return (await read('/events', { about: id })).data.find(event => event.id === id)?.body
  } catch {
    return undefined // the check says less, but is no less right
  }
}
