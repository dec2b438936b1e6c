import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { ApiError } from './api.ts'
import { Button } from './button.tsx'
import { Form, useSubmit } from './form.tsx'
import { Icon } from './icons.tsx'
import { ErrorNote } from './notice.tsx'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  wide?: boolean
  /** between the usual width and `wide` */
  middle?: boolean
}

/** The browser's own modal dialog: it keeps the focus inside, closes with Escape and gives the focus back. */
export function Dialog({ title, onClose, children, wide, middle }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const touched = useRef(false)
  const id = useId()
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    const opener = document.activeElement as HTMLElement | null
    element.showModal()
    // where to begin: what is marked, else the first field, or the way out of a question
    const first =
      element.querySelector<HTMLElement>('[data-autofocus]:not(:disabled)') ??
      element.querySelector<HTMLElement>('input, select, .select, textarea, .dialog-actions button:not(:disabled)')
    first?.focus()
    return () => {
      element.close()
      if (opener?.isConnected) opener.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={dialog}
      class={wide ? 'dialog wide' : middle ? 'dialog middle' : 'dialog'}
      aria-labelledby={id}
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
      onInput={() => {
        touched.current = true
      }}
      onClick={event => {
        // a click outside closes the dialog, unless entered text would be lost
        if (event.target === dialog.current && !touched.current) onClose()
      }}
    >
      <div class="dialog-body">
        <div class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}

export const DialogActions = ({ children }: { children: ComponentChildren }) => (
  <div class="dialog-actions">{children}</div>
)

interface ConfirmProps {
  title: string
  children: ComponentChildren
  action: string
  danger?: boolean
  onClose: () => void
  /** what is done; the dialog stays open and says why where it fails */
  onConfirm: () => Promise<void>
}

export function Confirm({ title, children, action, danger, onClose, onConfirm }: ConfirmProps) {
  const { busy, error, submit } = useSubmit()
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <FormError error={error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={() => submit(onConfirm)}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

interface FormDialogProps extends DialogProps {
  action: string
  danger?: boolean
  disabled?: boolean
  busy?: boolean
  /** shown below the fields, where they do not show it themselves */
  error?: ApiError | undefined
  /** no field says what is wrong with it */
  unmarked?: boolean
  onSubmit: () => void
}

/** A dialog with fields that are sent. */
export function FormDialog(props: FormDialogProps) {
  const { action, danger, disabled = false, busy = false, error, unmarked, onSubmit, children, ...dialog } = props
  return (
    <Dialog {...dialog}>
      <Form onSubmit={onSubmit}>
        {children}
        <FormError error={error} marked={!unmarked} />
        <DialogActions>
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button kind={danger ? 'danger' : 'primary'} type="submit" busy={busy} disabled={disabled}>
            {action}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

interface FormErrorProps {
  error: ApiError | undefined
  /** the form says at its fields what is wrong with them */
  marked?: boolean
}

export function FormError({ error, marked }: FormErrorProps) {
  if (!error) return null
  if (!marked || error.fields.size === 0) return <ErrorNote error={error} />
  return (
    <p class="fault" role="alert">
      Please fix the highlighted fields.
    </p>
  )
}
