import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, TextField, useSubmit } from '../../ui/form.tsx'
import { ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { ENTERED, useLeaveGuard } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { send, useData } from '../api.ts'
import { t } from '../texts/index.ts'

/** When feedback is due after interviews, and what calendars of interviewers say; of the whole workspace. */
export function InterviewSettings() {
  const { data, error: unread, reload } = useData('/interview-settings')
  const saved = { hours: data === undefined ? '' : String(data.feedback_hours), names: data?.full_names_in_calendars }
  const [hours, setHours] = useState(saved.hours)
  const [names, setNames] = useState(saved.names ?? false)
  const { busy, error, fault, submit } = useSubmit()
  useEffect(() => {
    setHours(saved.hours)
    setNames(saved.names ?? false)
  }, [data])
  const isChanged = data !== undefined && (hours !== saved.hours || names !== saved.names)
  useLeaveGuard(isChanged && ENTERED)
  if (!data) return unread ? <ErrorNote error={unread} retry={reload} /> : <Skeleton lines={3} />
  const save = () =>
    submit(async () => {
      await send('/interview-settings', { feedback_hours: Number(hours), full_names_in_calendars: names })
      toast(t.interviews.settingsSaved)
      reload()
    })
  return (
    <Form class="panel narrow" onSubmit={save} aria-labelledby="interview-settings">
      <h2 id="interview-settings">{t.interviews.settings}</h2>
      <TextField
        label={t.interviews.feedbackHours}
        type="number"
        value={hours}
        onInput={setHours}
        required
        hint={t.interviews.feedbackHint}
        fault={fault('feedback_hours')}
      />
      <label class="check">
        <input type="checkbox" checked={names} onInput={event => setNames(event.currentTarget.checked)} />
        <span>{t.interviews.fullNames}</span>
      </label>
      <p class="small soft">{t.interviews.fullNamesHint}</p>
      <FormError error={error} marked />
      <div class="actions">
        <Button kind="primary" type="submit" busy={busy} disabled={!isChanged || hours === ''}>
          {t.common.save}
        </Button>
      </div>
    </Form>
  )
}
