import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { CodeLine } from '../../ui/copy.tsx'
import { FormError } from '../../ui/dialog.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.tsx'
import { send } from '../api.ts'
import { t } from '../texts/index.ts'
import { formatMoment } from './words.ts'

interface CalendarProps {
  /** since when there is an address; null: there is none */
  since: string | null
}

/** The address at which a calendar program reads a member's interviews. It is shown once, when it is made. */
export function CalendarAddress({ since }: CalendarProps) {
  const [madeAt, setMadeAt] = useState(since)
  const [address, setAddress] = useState<string>()
  const { busy, error, submit } = useSubmit()
  const make = () =>
    submit(async () => {
      const { url } = await send('/calendar-address', undefined)
      setAddress(url)
      setMadeAt(new Date().toISOString())
    })
  const end = () =>
    submit(async () => {
      await send('/calendar-address/end', undefined)
      setAddress(undefined)
      setMadeAt(null)
      toast(t.interviews.addressEnded)
    })
  return (
    <section class="panel narrow" aria-labelledby="calendar-address">
      <h2 id="calendar-address">{t.interviews.calendar}</h2>
      <p class="soft">{t.interviews.calendarMeaning}</p>
      {address !== undefined ? (
        <div role="status">
          <p>{t.interviews.addressMade}</p>
          <CodeLine value={address} name={t.interviews.calendarAddress} />
        </div>
      ) : (
        madeAt !== null && <p>{t.interviews.calendarSince(formatMoment(madeAt))}</p>
      )}
      <FormError error={error} />
      <div class="actions">
        <Button busy={busy} onClick={make}>
          {madeAt === null ? t.interviews.makeAddress : t.interviews.renewAddress}
        </Button>
        {madeAt !== null && (
          <Button busy={busy} onClick={end}>
            {t.interviews.endAddress}
          </Button>
        )}
      </div>
    </section>
  )
}
