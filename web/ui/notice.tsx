import type { ComponentChildren } from 'preact'
import { TEMPLATE_VARIABLES } from '../../src/contract/mail-template.ts'
import type { ApiError } from './api.ts'
import { Button } from './button.tsx'

export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children && <div class="soft">{children}</div>}
  </div>
)

export function ErrorNote({ error, retry }: { error: ApiError; retry?: (() => void) | undefined }) {
  return (
    <div class="notice bad" role="alert">
      <p>
        {error.message}{' '}
        {error.status === 401 && (
          <a href="/sign-in" target="_blank" rel="noreferrer">
            Sign in
          </a>
        )}
      </p>
      {error.requestId && error.status >= 500 && (
        <p class="small">
          Request <code>{error.requestId}</code>, which finds it in the log.
        </p>
      )}
      {/* the same call would be refused again */}
      {retry && error.status !== 403 && (
        <p>
          <Button small onClick={retry}>
            Try again
          </Button>
        </p>
      )}
    </div>
  )
}

export const Notice = ({
  tone = 'info',
  children,
}: {
  tone?: 'info' | 'good' | 'warn' | 'bad'
  children: ComponentChildren
}) => <div class={`notice ${tone}`}>{children}</div>

/** Grey lines while something loads. */
export const Skeleton = ({ lines = 6 }: { lines?: number }) => (
  <div class="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, i) => (
      <span key={i} />
    ))}
  </div>
)

/** Text of the catalogues, with `code` in backticks. */
export const Prose = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
)

/** The variables of a text that is filled for each candidate, for a hint. */
export const Variables = () => (
  <>
    Variables:{' '}
    {TEMPLATE_VARIABLES.map((variable, i) => (
      <>
        {i > 0 && ', '}
        <code>{`{{${variable}}}`}</code>
      </>
    ))}
  </>
)
