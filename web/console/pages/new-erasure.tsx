import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, Segments, SelectField, TextField, useSubmit } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { navigate } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Row, type Sent, send } from '../api.ts'
import { REASON_WORDS, recordWords } from '../erasure-words.ts'
import { useSession } from '../session.ts'

type ErasurePreviewResponse = Sent<'/erasures/preview'>
type ErasureReason = Row<'/erasures'>['reason']

type Kind = 'email' | 'linkedin_url'

const BACK = { to: '/erasures', title: 'Erasure requests' }

export function NewErasurePage() {
  const { user } = useSession()
  if (user.role !== 'owner') {
    return (
      <>
        <PageHead title="New request" back={BACK} />
        <Notice tone="warn">
          <p>Only owners can start a request, because an erasure cannot be undone.</p>
        </Notice>
      </>
    )
  }
  return <NewErasure />
}

function NewErasure() {
  const { workspace, erasure_reach: reach } = useSession()
  const [kind, setKind] = useState<Kind>('email')
  const [address, setAddress] = useState('')
  const [reason, setReason] = useState<ErasureReason>('erasure_request')
  const [records, setRecords] = useState<ErasurePreviewResponse>()
  const [typed, setTyped] = useState('')
  const look = useSubmit()
  const start = useSubmit()
  const erases = reason !== 'stop_processing'
  const everywhere = reach === 'installation'

  const change = (next: { kind?: Kind; address?: string }) => {
    if (next.kind !== undefined) setKind(next.kind)
    if (next.address !== undefined) setAddress(next.address)
    setRecords(undefined)
    setTyped('')
  }
  const preview = () => look.submit(async () => setRecords(await send('/erasures/preview', { [kind]: address })))
  const begin = () =>
    start.submit(async () => {
      const response = await send('/erasures', {
        [kind]: address,
        reason,
        confirmation: typed,
      })
      toast(response.is_new ? 'The request was started' : 'This request already exists')
      navigate(`/erasures/${response.id}`, { replace: true })
    })

  return (
    <>
      <PageHead
        title="New request"
        description="Identify one person by their email address or LinkedIn URL."
        back={BACK}
      />
      <ReachNotice everywhere={everywhere} asksOthers={workspace.environment === 'live'} />
      <Form
        class="panel narrow"
        onSubmit={() => {
          if (records) begin()
          else preview()
        }}
      >
        <Segments
          label="Identify by"
          value={kind}
          onInput={value => change({ kind: value as Kind, address: '' })}
          options={[
            ['email', 'Email address'],
            ['linkedin_url', 'LinkedIn URL'],
          ]}
        />
        <TextField
          label={kind === 'email' ? 'Email address' : 'LinkedIn URL'}
          type={kind === 'email' ? 'email' : 'url'}
          value={address}
          onInput={text => change({ address: text })}
          required
          autoComplete="off"
          placeholder={kind === 'email' ? 'person@example.com' : 'https://www.linkedin.com/in/…'}
          hint="Other identifiers of the same person are found in their records."
        />
        <SelectField
          label="Reason"
          value={reason}
          onInput={text => setReason(text as ErasureReason)}
          options={Object.entries(REASON_WORDS)}
          hint={
            erases
              ? 'Records, files, exports and emails of the person are deleted.'
              : 'Records stay, but are excluded from search, matching, messages and reads of contact details.'
          }
        />
        {records === undefined ? (
          <>
            <FormError error={look.error} />
            <div class="actions">
              <Button kind="primary" type="submit" busy={look.busy} disabled={address.trim() === ''}>
                Find records
              </Button>
            </div>
          </>
        ) : (
          <Confirmation
            records={records}
            address={address}
            typed={typed}
            setTyped={setTyped}
            verb={erases ? 'erase' : 'stop processing'}
            everywhere={everywhere}
            start={start}
          />
        )}
      </Form>
    </>
  )
}

const ReachNotice = ({ everywhere, asksOthers }: { everywhere: boolean; asksOthers: boolean }) => (
  <Notice tone="warn">
    {everywhere ? (
      <p>
        <b>It applies to every workspace of this installation</b> and the shared pool. An erasure cannot be undone, and
        the person cannot be stored again by an import, an application or a partner.
      </p>
    ) : (
      <p>
        <b>It applies only to this workspace.</b> An erasure cannot be undone, and the person cannot be stored here
        again by an import, an application or a partner.
        {asksOthers &&
          ' Owners of other workspaces with data about the person are asked to decide for themselves, and the operator for the shared pool. You are not shown whether there are any.'}
      </p>
    )}
  </Notice>
)

interface ConfirmationProps {
  records: ErasurePreviewResponse
  address: string
  typed: string
  setTyped: (text: string) => void
  verb: 'erase' | 'stop processing'
  everywhere: boolean
  start: ReturnType<typeof useSubmit>
}

/** The records that were found, and the address again before they are erased. */
const Confirmation = ({ records, address, typed, setTyped, verb, everywhere, start }: ConfirmationProps) => (
  <>
    <Notice tone={records.held_here.length > 0 ? 'info' : 'warn'}>
      <p>
        {records.held_here.length > 0
          ? `In this workspace: ${records.held_here.map(h => recordWords(h.object, h.count)).join(', ')}.`
          : 'This workspace has no records of this person. Check the spelling.'}
      </p>
      <p class="soft">Records of other workspaces are not shown. Workspace members’ own accounts are not affected.</p>
    </Notice>
    <TextField
      label={`To ${verb} this person, type the email address or URL again`}
      value={typed}
      onInput={setTyped}
      autoComplete="off"
      fault={start.fault('confirmation')}
    />
    {start.fault('confirmation') === undefined && <FormError error={start.error} />}
    <div class="actions">
      <Button
        kind="danger"
        type="submit"
        busy={start.busy}
        disabled={typed.trim().toLowerCase() !== address.trim().toLowerCase()}
      >
        {`${verb === 'erase' ? 'Erase' : 'Stop processing'} ${everywhere ? 'everywhere' : 'in this workspace'}`}
      </Button>
      <Button onClick={() => navigate('/erasures')}>Cancel</Button>
    </div>
  </>
)
