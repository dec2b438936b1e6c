import { useEffect, useState } from 'preact/hooks'
import type { ApiError } from '../../ui/api.ts'
import { Field, Segments } from '../../ui/form.tsx'
import { ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { send, useData } from '../api.ts'

interface MarkdownProps {
  label: string
  value: string
  onInput: (value: string) => void
  fault?: string | undefined
}

/** Markdown, and how candidates will see it. */
export function MarkdownField({ label, value, onInput, fault }: MarkdownProps) {
  const [view, setView] = useState('write')
  return (
    <div class="markdown-field">
      <Segments
        label={`${label}: write or preview`}
        value={view}
        onInput={setView}
        options={[
          ['write', 'Write'],
          ['preview', 'Preview'],
        ]}
      />
      {view === 'write' ? (
        <Field
          label={label}
          fault={fault}
          hint={
            <>
              Markdown: <code>## Heading</code>, <code>**bold**</code>, <code>- list</code>,{' '}
              <code>[text](https://…)</code>. Pictures are left out.
            </>
          }
        >
          {control => (
            <textarea {...control} rows={14} value={value} onInput={event => onInput(event.currentTarget.value)} />
          )}
        </Field>
      ) : (
        <div class="field">
          <span class="label">{label}</span>
          <Preview source={value} />
        </div>
      )}
    </div>
  )
}

/** The description of a job that is stored. */
export function JobDescription({ jobId }: { jobId: string }) {
  const { data, error, reload } = useData('/jobs/{id}/description', { id: jobId })
  return <MarkdownText html={data?.html} error={error} retry={reload} />
}

function Preview({ source }: { source: string }) {
  const [html, setHtml] = useState<string>()
  const [error, setError] = useState<ApiError>()
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isCurrent = true
    setError(undefined)
    send('/markdown-preview', { text: source }).then(
      preview => isCurrent && setHtml(preview.html),
      failure => isCurrent && setError(failure),
    )
    return () => {
      isCurrent = false
    }
  }, [source, round])
  return <MarkdownText html={html} error={error} retry={() => setRound(n => n + 1)} />
}

interface MarkdownTextProps {
  html: string | undefined
  error: ApiError | undefined
  retry: () => void
}

/** Rendered and sanitized by the service, with the code that the careers site uses. */
function MarkdownText({ html, error, retry }: MarkdownTextProps) {
  if (error) return <ErrorNote error={error} retry={retry} />
  if (html === undefined) return <Skeleton lines={3} />
  if (html === '') return <p class="faint">Nothing written yet.</p>
  // the service has sanitized it
  return <div class="job-text" dangerouslySetInnerHTML={{ __html: html }} />
}
