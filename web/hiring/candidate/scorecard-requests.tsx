import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, FormError } from '../../ui/dialog.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send, useData } from '../api.ts'
import { t } from '../texts/index.ts'

type Panel = Read<'/applications/{application}/scorecards'>

interface RequestsProps {
  /** the application */
  of: string
  panel: Panel
  reload: () => void
}

/** Members who were asked and have not written a scorecard. */
export function Requests({ of, panel, reload, mayWithdraw }: RequestsProps & { mayWithdraw: boolean }) {
  const { busy, error, submit } = useSubmit()
  const open = panel.requests.filter(({ done }) => !done)
  if (open.length === 0) return null
  return (
    <section aria-label={t.scorecards.due}>
      <h3>{t.scorecards.waitingFor}</h3>
      <ul class="asked">
        {open.map(({ user, requested_at, stage_name }) => (
          <li key={user.id}>
            {user.name}
            <span class="faint small">
              {stage_name && `${stage_name} · `}
              {t.scorecards.askedAt} <Time at={requested_at} />
            </span>
            {mayWithdraw && (
              <button
                type="button"
                class="text-button"
                aria-disabled={busy || undefined}
                aria-label={t.scorecards.withdrawOf(user.name)}
                onClick={() =>
                  submit(async () => {
                    await send('/applications/{application}/scorecard-requests/{user}/withdraw', {
                      application: of,
                      user: user.id,
                    })
                    reload()
                  })
                }
              >
                {t.scorecards.withdraw}
              </button>
            )}
          </li>
        ))}
      </ul>
      <FormError error={error} />
    </section>
  )
}

export function AskDialog({ of, panel, reload, onClose }: RequestsProps & { onClose: () => void }) {
  const { data, error: failed, reload: again } = useData('/members', { application_id: of })
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { busy, error, submit } = useSubmit()
  const waiting = new Set(panel.requests.filter(({ done }) => !done).map(({ user }) => user.id))
  const people = data?.members.filter(member => member.writes_scorecards && !waiting.has(member.id))
  return (
    <Dialog title={t.scorecards.askTitle} onClose={onClose}>
      <p class="soft">{t.scorecards.askHint}</p>
      {failed && <ErrorNote error={failed} retry={again} />}
      {!people && !failed && <Skeleton lines={3} />}
      {people?.length === 0 && <Empty title={t.scorecards.everyone} />}
      {people && people.length > 0 && (
        <fieldset class="check-list">
          <legend class="visually-hidden">{t.scorecards.members}</legend>
          {people.map(({ id, name, role }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={event => {
                  const { checked } = event.currentTarget
                  setChosen(now => (checked ? [...now, id] : now.filter(one => one !== id)))
                }}
              />
              {name} <span class="faint small">{t.scorecards.memberRoles[role]}</span>
            </label>
          ))}
        </fieldset>
      )}
      <FormError error={error} />
      <DialogActions>
        <Button onClick={onClose}>{t.scorecards.cancel}</Button>
        <Button
          kind="primary"
          busy={busy}
          disabled={chosen.length === 0}
          onClick={() =>
            submit(async () => {
              await send(
                '/applications/{application}/scorecard-requests',
                { application: of },
                { user_ids: [...chosen] },
              )
              toast(t.scorecards.askedPeople(chosen.length))
              onClose()
              reload()
            })
          }
        >
          {t.scorecards.askAction}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
