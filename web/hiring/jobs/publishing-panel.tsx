import type { ComponentChildren } from 'preact'
import type { Job } from '../../../packages/sdk/src/generated.ts'
import { Button } from '../../ui/button.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Time } from '../../ui/time.tsx'
import { KEYS } from '../key-table.ts'
import { useMay, useSession } from '../session.ts'
import { type Move, Readiness, useMayDelete } from './lifecycle.tsx'

export type JobDialog = 'duplicate' | 'delete' | 'close' | 'unpublish'

interface PanelProps {
  job: Job
  readiness: Parameters<typeof Readiness>[0]['readiness']
  dirty: boolean
  busy: boolean
  move: (to: Move) => void
  open: (dialog: JobDialog) => void
  note: ComponentChildren
}

/** The state of the job, what it lacks, and what can be done with it. */
export function PublishingPanel({ job, readiness, dirty, busy, move, open, note }: PanelProps) {
  const may = useMay()
  const mayDelete = useMayDelete()
  const { limited } = useSession()
  const { status } = job
  const blocked = readiness.data?.ready === false
  const code = job.voice_screening.dial_in_code
  const manages = may('jobs:manage') && !busy
  useShortcuts([
    ...(manages && status === 'draft' && !blocked
      ? [{ keys: KEYS.publish, title: dirty ? 'Save and publish' : 'Publish', run: () => move('publish') }]
      : []),
    ...(manages && status === 'published' ? [{ keys: KEYS.close, title: 'Close', run: () => open('close') }] : []),
    ...(limited ? [] : [{ keys: KEYS.duplicate, title: 'Duplicate', run: () => open('duplicate') }]),
  ])
  return (
    <aside class="panel summary job-side" aria-label="Publishing">
      <h2>Publishing</h2>
      <p class="soft">
        {status === 'draft' ? 'Created ' : 'Published '}
        <Time at={status === 'draft' ? job.created_at : job.published_at} />
      </p>
      {status === 'closed' && <p>Closed: no one can apply. Reopening publishes it again.</p>}
      <Readiness readiness={readiness} job={job} />
      {note}
      <div class="stack">
        {may('jobs:manage') && status === 'draft' && (
          <Button kind={dirty ? 'secondary' : 'primary'} busy={busy} disabled={blocked} onClick={() => move('publish')}>
            {dirty ? 'Save and publish' : 'Publish'}
          </Button>
        )}
        {may('jobs:manage') && status === 'published' && (
          <>
            <Button busy={busy} onClick={() => open('close')}>
              Close…
            </Button>
            <Button busy={busy} onClick={() => open('unpublish')}>
              Unpublish…
            </Button>
          </>
        )}
        {may('jobs:manage') && status === 'closed' && (
          <Button busy={busy} disabled={blocked} onClick={() => move('reopen')}>
            Reopen
          </Button>
        )}
        {!limited && <Button onClick={() => open('duplicate')}>Duplicate…</Button>}
        {mayDelete && (
          <Button kind="danger" onClick={() => open('delete')}>
            Delete…
          </Button>
        )}
      </div>
      {code && (
        <p class="soft">
          Phone pre-screen code <code>{code}</code>
        </p>
      )}
    </aside>
  )
}
