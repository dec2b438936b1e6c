import type { ComponentChildren } from 'preact'

interface ButtonProps {
  children: ComponentChildren
  kind?: 'primary' | 'secondary' | 'danger'
  small?: boolean
  type?: 'button' | 'submit'
  disabled?: boolean
  busy?: boolean
  title?: string | undefined
  /** what it is called where several have the same text */
  label?: string
  onClick?: () => void
}

export const Button = (props: ButtonProps) => {
  const { children, kind = 'secondary', small, type = 'button', disabled, busy, title, label, onClick } = props
  const classes = ['button', kind === 'primary' ? '' : kind, small ? 'small' : '', busy ? 'busy' : '']
  return (
    <button
      type={type}
      class={classes.filter(Boolean).join(' ')}
      disabled={disabled}
      // not `disabled`, which would take the focus away from the button
      aria-disabled={busy || undefined}
      aria-busy={busy}
      title={title}
      aria-label={label}
      onClick={event => {
        if (busy) event.preventDefault()
        else onClick?.()
      }}
    >
      {children}
    </button>
  )
}
