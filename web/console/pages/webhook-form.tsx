import { useState } from 'preact/hooks'
import { EVENT_GROUPS, EVENT_TYPES, EVENTS, type EventType, receivableTypes } from '../../../src/contract/events.ts'
import type { Scope } from '../../../src/contract/scopes.ts'
import type { ApiError } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { IssuedSecret } from '../../ui/copy.tsx'
import { Dialog, DialogActions, FormError } from '../../ui/dialog.tsx'
import { Form, Segments, SelectField, TextField, useSubmit } from '../../ui/form.tsx'
import { Empty, ErrorNote, Notice, Prose, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { ENTERED, navigate, useLeaveGuard } from '../../ui/router.tsx'
import { ScopePicker } from '../../ui/scope.tsx'
import { type Row, type Sent, send, useData } from '../api.ts'
import { useSession } from '../session.ts'

type EndpointResponse = Row<'/webhooks'>
type IssuedEndpointResponse = Sent<'/webhooks'>
type KeyResponse = Row<'/keys'>

/** What an endpoint is sent: every type, as long as there are any, or those that were chosen. */
type Wanted = { every: boolean; types: ReadonlySet<string> }

const wantedOf = ({ event_types: types }: EndpointResponse): Wanted => ({
  every: types.length === 0,
  types: new Set(types),
})

interface EventTypesProps {
  scopes: readonly string[]
  value: Wanted
  onInput: (value: Wanted) => void
  fault?: string | undefined
}

const reasonNotReadable = (type: EventType, scopes: readonly string[]): string =>
  scopes.includes(EVENTS[type].scope)
    ? 'About people of the whole workspace; a key of a vendor reads the notices that name its orders instead.'
    : `Needs the scope ${EVENTS[type].scope}, which the key lacks.`

/** Event types: those that the key may not read cannot be chosen, and say what they lack. */
function EventTypesField({ scopes, value, onInput, fault }: EventTypesProps) {
  const readable = new Set<string>(receivableTypes(new Set(scopes as Scope[])))
  const choose = (types: Iterable<string>) => onInput({ every: false, types: new Set(types) })
  const set = (type: string, on: boolean) =>
    choose(EVENT_TYPES.filter(other => (other === type ? on : value.types.has(other))))
  return (
    <>
      <div class="scopes-head">
        <h2>Events</h2>
        <Segments
          label="Event types"
          value={value.every ? 'every' : 'chosen'}
          onInput={which => onInput({ ...value, every: which === 'every' })}
          options={[
            ['every', 'All types'],
            ['chosen', 'Selected types'],
          ]}
        />
      </div>
      {fault && <p class="fault">{fault}</p>}
      {!scopes.includes('events:read') && (
        <p class="fault">This key lacks the scope events:read, so the endpoint receives nothing.</p>
      )}
      {value.every ? (
        <p class="soft">
          All types that the key can read (currently {readable.size} of {EVENT_TYPES.length}), including types that are
          added later.
        </p>
      ) : (
        <>
          <div class="page-actions">
            <Button small onClick={() => choose(readable)}>
              All that the key can read
            </Button>
            <Button small onClick={() => choose([])}>
              None
            </Button>
          </div>
          <ScopePicker
            groups={EVENT_GROUPS.map(({ title, types }) => ({
              title,
              choices: types.map(type => ({
                name: type,
                description: <Prose text={EVENTS[type].description} />,
                off: !readable.has(type) && reasonNotReadable(type, scopes),
              })),
            }))}
            chosen={value.types}
            onChange={set}
          />
        </>
      )}
    </>
  )
}

export const NeedsPlan = () => (
  <Notice tone="warn">
    <p>Webhooks need a plan, and this workspace has none.</p>
  </Notice>
)

export function NewWebhookPage() {
  const { workspace } = useSession()
  const { data, error, reload } = useData('/keys')
  const back = { to: '/webhooks', title: 'Webhook endpoints' }
  const head = (
    <PageHead
      title="Register an endpoint"
      description="An endpoint belongs to a key: it receives events the key can read, and is disabled with the key."
      back={back}
    />
  )
  if (workspace.plan === null) {
    return (
      <>
        {head}
        <NeedsPlan />
      </>
    )
  }
  const keys = data?.data.filter(key => key.state === 'active' && key.reach === 'single')
  if (!keys) {
    return (
      <>
        {head}
        {error ? <ErrorNote error={error} retry={reload} /> : <Skeleton />}
      </>
    )
  }
  const [first] = keys
  if (!first) {
    return (
      <>
        {head}
        <Empty title="No active key">
          <Button small onClick={() => navigate('/keys/new')}>
            Create a key
          </Button>
        </Empty>
      </>
    )
  }
  return (
    <>
      {head}
      <RegisterForm keys={keys} initial={keys.find(key => key.scopes.includes('events:read')) ?? first} />
    </>
  )
}

function RegisterForm({ keys, initial }: { keys: readonly KeyResponse[]; initial: KeyResponse }) {
  const [keyId, setKeyId] = useState(initial.id)
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [wanted, setWanted] = useState<Wanted>({ every: false, types: new Set() })
  const [issued, setIssued] = useState<IssuedEndpointResponse>()
  const { busy, error, fault, submit } = useSubmit()
  useLeaveGuard(!issued && (url !== '' || wanted.types.size > 0) && ENTERED)
  const key = keys.find(({ id }) => id === keyId) ?? initial
  const readable = receivableTypes(new Set(key.scopes as Scope[])) as readonly string[]
  const chosen = wanted.every ? [] : [...wanted.types].filter(type => readable.includes(type))
  const nothing = !wanted.every && chosen.length === 0
  if (issued) {
    const done = () => navigate(`/webhooks/${issued.endpoint.id}`, { replace: true })
    return <SigningSecret secret={issued.signing_secret} onDone={done} />
  }
  return (
    <Form
      class="split"
      onSubmit={() =>
        submit(async () => {
          setIssued(
            await send('/webhooks', {
              key_id: key.id,
              url: url.trim(),
              event_types: chosen,
              description: description.trim() === '' ? null : description.trim(),
            }),
          )
        })
      }
    >
      <div>
        <div class="panel">
          <UrlFields
            url={url}
            setUrl={setUrl}
            description={description}
            setDescription={setDescription}
            fault={fault}
            error={error}
          />
          <SelectField
            label="Key"
            value={key.id}
            onInput={setKeyId}
            options={keys.map(({ id, name }) => [id, name] as const)}
            hint="Its scopes determine which events can be sent."
          />
        </div>
        <EventTypesField scopes={key.scopes} value={wanted} onInput={setWanted} fault={fault('event_types')} />
      </div>
      <aside class="panel summary" aria-label="Summary">
        <h2>New endpoint</h2>
        <p>
          <b>{wanted.every ? 'Every' : chosen.length}</b> event {wanted.every || chosen.length === 1 ? 'type' : 'types'}
        </p>
        <p class="soft">The signing secret is shown once, on the next page.</p>
        <FormError error={error} marked />
        <div class="stack">
          <Button kind="primary" type="submit" busy={busy} disabled={nothing || url.trim() === ''}>
            Register endpoint
          </Button>
          <Button onClick={() => navigate('/webhooks', { replace: true })}>Cancel</Button>
        </div>
        {nothing && <p class="faint small">Choose at least one type, or all types.</p>}
      </aside>
    </Form>
  )
}

interface UrlProps {
  url: string
  setUrl: (value: string) => void
  description: string
  setDescription: (value: string) => void
  fault: (param: string) => string | undefined
  error: ApiError | undefined
}

const UrlFields = ({ url, setUrl, description, setDescription, fault, error }: UrlProps) => (
  <>
    <TextField
      label="URL"
      value={url}
      onInput={setUrl}
      required
      mono
      placeholder="https://partner.example.com/hooks"
      hint="HTTPS on port 443 or 8443. The host name must resolve only to public IP addresses."
      fault={fault('url') ?? (error?.code.startsWith('webhook_') ? error.message : undefined)}
    />
    <TextField
      label="Description"
      value={description}
      onInput={setDescription}
      maxLength={500}
      hint="Optional. Shown in the console."
      fault={fault('description')}
    />
  </>
)

/** The secret of a webhook, this once, with how signatures are made. */
export const SigningSecret = ({ secret, onDone }: { secret: string; onDone: () => void }) => (
  <IssuedSecret value={secret} name="signing secret" onDone={onDone}>
    <p>
      Sign <code>{'{t}.{raw body}'}</code> with HMAC-SHA256 and the whole secret, <code>whsec_</code> included, and
      compare with each <code>v1</code> of the header <code>Service-Signature</code>.
    </p>
  </IssuedSecret>
)

interface EditProps {
  endpoint: EndpointResponse
  scopes: readonly string[]
  onClose: () => void
  onDone: (endpoint: EndpointResponse) => void
}

export function EditEndpoint({ endpoint, scopes, onClose, onDone }: EditProps) {
  const [url, setUrl] = useState(endpoint.url)
  const [description, setDescription] = useState(endpoint.description ?? '')
  const [wanted, setWanted] = useState(wantedOf(endpoint))
  const { busy, error, fault, submit } = useSubmit()
  return (
    <Dialog title="Edit the endpoint" onClose={onClose} wide>
      <UrlFields
        url={url}
        setUrl={setUrl}
        description={description}
        setDescription={setDescription}
        fault={fault}
        error={error}
      />
      <EventTypesField scopes={scopes} value={wanted} onInput={setWanted} fault={fault('event_types')} />
      <FormError error={error} marked />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          busy={busy}
          disabled={!wanted.every && wanted.types.size === 0}
          onClick={() =>
            submit(async () =>
              onDone(
                await send(
                  '/webhooks/{id}',
                  { id: endpoint.id },
                  {
                    url: url.trim(),
                    event_types: wanted.every ? [] : [...wanted.types],
                    description: description.trim() === '' ? null : description.trim(),
                  },
                ),
              ),
            )
          }
        >
          Save
        </Button>
      </DialogActions>
    </Dialog>
  )
}
