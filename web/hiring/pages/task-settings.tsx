import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { countsChanged } from '../../ui/count-badge.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, TextField, useSubmit } from '../../ui/form.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { ENTERED, Link, useLeaveGuard } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { send, useData } from '../api.ts'
import { InterviewSettings } from '../interviews/settings-form.tsx'

/** When a candidate counts as waiting, for the whole workspace. */
export function TaskSettingsPage() {
  const { data, error, reload } = useData('/hiring-settings')
  const saved = data === undefined ? '' : String(data.waiting_days)
  const [days, setDays] = useState(saved)
  const { busy, error: refused, fault, submit } = useSubmit()
  useEffect(() => setDays(saved), [saved])
  useLeaveGuard(data !== undefined && days !== saved && ENTERED)
  return (
    <>
      <PageHead title="Task settings" description="What everyone in the workspace finds in My tasks." />
      {error?.status === 403 ? (
        <Empty title="Only owners and admins change these settings">
          <Link to="/tasks">Go to My tasks</Link>
        </Empty>
      ) : error && !data ? (
        <ErrorNote error={error} retry={reload} />
      ) : !data ? (
        <Skeleton lines={3} />
      ) : (
        <Form
          class="panel narrow"
          onSubmit={() =>
            submit(async () => {
              await send('/hiring-settings', { waiting_days: Number(days) })
              toast('Settings saved')
              countsChanged()
              reload()
            })
          }
        >
          <TextField
            label="Days in a stage until a candidate is waiting"
            type="number"
            value={days}
            onInput={setDays}
            required
            hint="1 to 365. Candidates who stay longer than this in an open stage appear in everyone's tasks."
            fault={fault('waiting_days')}
          />
          <FormError error={refused} marked />
          <div class="actions">
            <Button kind="primary" type="submit" busy={busy} disabled={days === saved || days === ''}>
              Save
            </Button>
          </div>
        </Form>
      )}
      {data && <InterviewSettings />}
    </>
  )
}
