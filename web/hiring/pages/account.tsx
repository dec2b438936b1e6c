import { useEffect, useState } from 'preact/hooks'
import { isPageLanguage } from '../../../src/contract/page-languages.ts'
import { Button } from '../../ui/button.tsx'
import { ZoneField } from '../../ui/date-field.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { Form, SelectField, useSubmit } from '../../ui/form.tsx'
import { ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { ENTERED, useLeaveGuard } from '../../ui/router.tsx'
import { type Read, send, useData } from '../api.ts'
import { CalendarAddress } from '../interviews/calendar-address.tsx'
import { WeekHours } from '../interviews/week-hours.tsx'
import { useMay } from '../session.ts'
import { t } from '../texts/index.ts'

type Settings = Read<'/member-settings'>

/** What a member chooses for themselves: language, time zone, the summary of their tasks, and when they interview. */
export function AccountPage() {
  const interviews = useMay()('scorecards:write')
  const { data, error, reload } = useData('/member-settings')
  return (
    <>
      <PageHead title={t.settings.title} description={t.settings.description} />
      {error && !data ? (
        <ErrorNote error={error} retry={reload} />
      ) : data ? (
        <AccountForm saved={data} />
      ) : (
        <Skeleton lines={3} />
      )}
      {interviews && <OwnInterviews />}
      <p>
        <a href="/account">{t.settings.signIn}</a>
      </p>
    </>
  )
}

function OwnInterviews() {
  const { data, error, reload } = useData('/member-hours')
  if (!data) return error ? <ErrorNote error={error} retry={reload} /> : <Skeleton lines={5} />
  return (
    <>
      <WeekHours saved={data} />
      <CalendarAddress since={data.calendar_since} />
    </>
  )
}

function AccountForm({ saved }: { saved: Settings }) {
  const [{ language, time_zone }, set] = useState(saved)
  const { busy, error, fault, submit } = useSubmit()
  useEffect(() => set(saved), [saved])
  const isChanged = language !== saved.language || time_zone !== saved.time_zone
  const [isSaving, setSaving] = useState(false)
  useLeaveGuard(isChanged && !isSaving && ENTERED)
  const save = () =>
    submit(async () => {
      await send('/member-settings', { language, time_zone })
      setSaving(true)
      // the document says the language, and what is drawn keeps its formats
      setTimeout(() => location.reload())
    })
  return (
    <Form class="panel narrow" onSubmit={save}>
      <SelectField
        label={t.settings.language}
        value={language ?? ''}
        options={[
          ['', t.settings.asBrowser],
          ['en', 'English'],
          ['de', 'Deutsch'],
        ]}
        onInput={value => set({ language: isPageLanguage(value) ? value : null, time_zone })}
        fault={fault('language')}
      />
      <ZoneField
        label={t.settings.timeZone}
        value={time_zone ?? ''}
        none={t.settings.asBrowser}
        hint={t.settings.timeZoneHint}
        onInput={value => set({ language, time_zone: value || null })}
        fault={fault('time_zone')}
      />
      <FormError error={error} marked />
      <div class="actions">
        <Button kind="primary" type="submit" busy={busy} disabled={!isChanged}>
          {t.common.save}
        </Button>
      </div>
    </Form>
  )
}
