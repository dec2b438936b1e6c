import { useState } from 'preact/hooks'
import type { ContactInfo, SourcedProfile } from '../../../packages/sdk/src/generated.ts'
import { type PlanCode, revealCreditsOf } from '../../../src/contract/plans.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog, DialogActions, FormError } from '../../ui/dialog.tsx'
import { Form, SelectField, TextField, useSubmit } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { Tag } from '../../ui/tag.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Body, read, send } from '../api.ts'
import { KEYS } from '../key-table.ts'
import { useMay, useSession } from '../session.ts'

interface Props {
  profile: SourcedProfile
  onRevealed: () => void
}

/** Contact details: shown when they are asked for, because each read is audited; entered by who found them. */
export function ContactSection({ profile, onRevealed }: Props) {
  const may = useMay()
  const [shown, setShown] = useState<ContactInfo>()
  const [entering, setEntering] = useState(false)
  const { busy, error, submit } = useSubmit()
  const stopped = profile.provenance.consent.suppressed
  const ofProfile = { profile_handle: profile.id }
  const show = () =>
    submit(async () => setShown(await read('/v1/sourced-profiles/{profile_handle}/contact-info', ofProfile)))
  const isHidden = profile.has_contact_info && shown === undefined
  useShortcuts(
    may('contact:read') && !stopped && !entering
      ? [
          isHidden
            ? { keys: KEYS.contact, title: 'Show contact details', run: show }
            : { keys: KEYS.contact, title: 'Add contact details', run: () => setEntering(true) },
        ]
      : [],
  )
  if (!may('contact:read')) {
    return (
      <Section title="Contact details">
        <p class="soft">Your role does not include contact details.</p>
      </Section>
    )
  }
  return (
    <Section
      title="Contact details"
      actions={
        !stopped && (
          <Button small onClick={() => setEntering(true)} {...(isHidden ? {} : { title: `Key: ${KEYS.contact}` })}>
            Add contact details
          </Button>
        )
      }
    >
      <FormError error={error} />
      {shown ? (
        <Values info={shown} />
      ) : profile.has_contact_info && !stopped ? (
        <p>
          <Button busy={busy} onClick={show} title={`Key: ${KEYS.contact}`}>
            Show contact details
          </Button>{' '}
          <span class="hint-line">Recorded with your name.</span>
        </p>
      ) : (
        <p class="soft">{stopped ? 'Not shown.' : 'None yet. Add what your team found.'}</p>
      )}
      {entering && (
        <RevealDialog
          profile={profile}
          onClose={() => setEntering(false)}
          onDone={() => {
            setEntering(false)
            setShown(undefined)
            toast('Contact details stored')
            onRevealed()
          }}
        />
      )}
    </Section>
  )
}

function Values({ info }: { info: ContactInfo }) {
  const values = [...info.emails, ...(info.phones ?? [])]
  return (
    <>
      {info.unsubscribed && <Notice tone="warn">Unsubscribed: do not write to this person.</Notice>}
      {values.length === 0 && <p class="soft">None that your role may see.</p>}
      <ul class="plain-list">
        {values.map(({ value, kind, status }) => (
          <li key={value}>
            <span class="inline">
              <span class="contact-value">{value}</span>
              <CopyButton value={value} label={`Copy ${value}`} />
            </span>
            <span class="faint">
              {kind} ·{' '}
              <Tag tone={status === 'verified' ? 'good' : status === 'invalid' ? 'bad' : 'plain'}>{status}</Tag>
            </span>
          </li>
        ))}
      </ul>
      {info.restricted?.includes('phones') && <p class="hint-line">Phone numbers are not for your role.</p>}
    </>
  )
}

type Entry = Body<'/sourcing/profiles/{profile_id}/reveal'>['values'][number]

const EMPTY: Entry = { field: 'email', kind: 'work', value: '' }

const KINDS = [
  ['work', 'Work'],
  ['personal', 'Personal'],
  ['mobile', 'Mobile'],
  ['other', 'Other'],
] as const

function RevealDialog({
  profile,
  onClose,
  onDone,
}: {
  profile: SourcedProfile
  onClose: () => void
  onDone: () => void
}) {
  const may = useMay()
  const { workspace } = useSession()
  const price = revealCreditsOf((workspace.plan?.code ?? null) as PlanCode | null)
  const [entries, setEntries] = useState<readonly Entry[]>([EMPTY])
  const { busy, error, submit } = useSubmit()
  const change = (at: number, changes: Partial<Entry>) =>
    setEntries(entries.map((entry, i) => (i === at ? { ...entry, ...changes } : entry)))
  const given = entries.filter(({ value }) => value.trim() !== '')
  const faultAt = (entry: Entry) => error?.fields.get(`values[${given.indexOf(entry)}]`)
  return (
    <Dialog title="Add contact details" onClose={onClose} wide>
      <p class="soft">
        Enter what your team found, for example on the website of the person.{' '}
        {profile.has_contact_info
          ? 'It costs nothing: this profile is paid for.'
          : `It costs ${price} credits, once for this profile.`}
      </p>
      <Form
        onSubmit={() =>
          submit(async () => {
            await send('/sourcing/profiles/{profile_id}/reveal', { profile_id: profile.id }, { values: given })
            onDone()
          })
        }
      >
        {entries.map((entry, i) => (
          <div key={i} class="contact-entry">
            {may('contact:phone:read') && (
              <SelectField
                label="Type"
                value={entry.field}
                onInput={field => change(i, { field })}
                options={[
                  ['email', 'Email address'],
                  ['phone', 'Phone number'],
                ]}
              />
            )}
            <SelectField label="Kind" value={entry.kind} onInput={kind => change(i, { kind })} options={KINDS} />
            <TextField
              label={entry.field === 'email' ? 'Email address' : 'Phone number'}
              value={entry.value}
              onInput={value => change(i, { value })}
              maxLength={entry.field === 'email' ? 320 : 50}
              fault={faultAt(entry)}
              autoComplete="off"
            />
          </div>
        ))}
        {entries.length < 20 && (
          <Button small onClick={() => setEntries([...entries, EMPTY])}>
            <Icon name="plus" size={14} />
            Another
          </Button>
        )}
        <FormError error={error} marked />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={given.length === 0}>
            {profile.has_contact_info ? 'Add' : `Add for ${price} credits`}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
