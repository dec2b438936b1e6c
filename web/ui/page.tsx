import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ApiError } from './api.ts'
import { Icon } from './icons.tsx'
import { Empty, ErrorNote, Skeleton } from './notice.tsx'
import { Link } from './router.tsx'
import { useSignedIn } from './session.ts'

interface PageHeadProps {
  /** also that of the window */
  title: string
  /** one sentence: what this page is for */
  description?: ComponentChildren
  back?: { to: string; title: string }
  actions?: ComponentChildren
}

/** Names the window after the page. */
export function useWindowTitle(title: string): void {
  const { workspace } = useSignedIn()
  useEffect(() => {
    const mark = workspace.environment === 'test' ? 'Test · ' : ''
    document.title = `${mark}${title} · ${workspace.name}`
  }, [title, workspace.name, workspace.environment])
}

export function PageHead({ title, description, back, actions }: PageHeadProps) {
  useWindowTitle(title)
  return (
    <header class="page-head">
      <div class="page-head-text">
        {back && (
          <Link to={back.to} class="back">
            <Icon name="back" size={14} />
            {back.title}
          </Link>
        )}
        <h1 tabIndex={-1}>{title}</h1>
        {description && <p class="soft">{description}</p>}
      </div>
      {actions && <div class="page-actions">{actions}</div>}
    </header>
  )
}

interface PendingProps {
  /** what the record is, as its page is called */
  title: string
  back: { to: string; title: string }
  error: ApiError | undefined
  reload: () => void
}

/** The page of a record that is not there: not yet, not at all, or not to be had. */
export const Pending = ({ title, back, error, reload }: PendingProps) => (
  <>
    <PageHead title={title} back={back} />
    {error?.status === 404 ? (
      <Empty title="Not found">It may have been deleted, or belong to another workspace.</Empty>
    ) : error ? (
      <ErrorNote error={error} retry={reload} />
    ) : (
      <Skeleton />
    )}
  </>
)

interface SectionProps {
  title: ComponentChildren
  description?: ComponentChildren
  actions?: ComponentChildren
  /** the action stays next to the title, however narrow the page is */
  oneRow?: boolean
  children: ComponentChildren
}

export const Section = ({ title, description, actions, oneRow, children }: SectionProps) => (
  <section class="section">
    <div class={oneRow ? 'section-head one-row' : 'section-head'}>
      <div>
        <h2>{title}</h2>
        {description && <p class="soft">{description}</p>}
      </div>
      {actions && <div class="page-actions">{actions}</div>}
    </div>
    {children}
  </section>
)

/** Names and values, such as the properties of a record. */
export const DescriptionList = ({
  rows,
}: {
  rows: readonly (readonly [string, ComponentChildren] | undefined | false)[]
}) => (
  <dl class="facts">
    {rows.map(
      row =>
        row && (
          <div key={row[0]}>
            <dt>{row[0]}</dt>
            <dd>{row[1]}</dd>
          </div>
        ),
    )}
  </dl>
)

/** Identifiers, addresses and other codes. `note`: what is said next to a code, which then has a line of its own. */
export const CodeList = ({ codes, note }: { codes: readonly string[]; note?: (code: string) => ComponentChildren }) => (
  <ul class={note ? 'codes with-notes' : 'codes'}>
    {codes.map(code => (
      <li key={code}>
        <code>{code}</code> {note?.(code)}
      </li>
    ))}
  </ul>
)
