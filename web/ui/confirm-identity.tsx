import { useEffect, useState } from 'preact/hooks'
import { askToConfirm } from './api.ts'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

/** Codes and passkeys are taken by a page of the service, in a tab of its own: what was entered here stays. */
const PAGE = '/account/confirm?return_to=/account/confirmed'

/** Asks for the second factor before a change that someone in an open session must not make. Then the change is sent again. */
export function ConfirmIdentity() {
  const [asked, setAsked] = useState<{ resolve: (confirmed: boolean) => void }>()
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    askToConfirm(
      () =>
        new Promise(resolve => {
          setOpened(false)
          setAsked({ resolve })
        }),
    )
  }, [])
  const done = (confirmed: boolean) => {
    setAsked(undefined)
    asked?.resolve(confirmed)
  }
  if (!asked) return null
  return (
    <Dialog title="Confirm that it is you" onClose={() => done(false)}>
      <p>This change needs your second factor. The confirmation opens in a new tab; nothing here is lost.</p>
      <DialogActions>
        <Button onClick={() => done(false)}>Cancel</Button>
        {opened && (
          <Button kind="primary" onClick={() => done(true)}>
            Continue
          </Button>
        )}
        <a
          class={opened ? 'button secondary' : 'button'}
          href={PAGE}
          target="_blank"
          rel="noopener"
          onClick={() => setOpened(true)}
        >
          {opened ? 'Open it again' : 'Confirm'}
        </a>
      </DialogActions>
    </Dialog>
  )
}
