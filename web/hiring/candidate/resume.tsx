import { useEffect, useRef, useState } from 'preact/hooks'
import type { Resume } from '../../../packages/sdk/src/generated.ts'
import type { Scope } from '../../../src/contract/scopes.ts'
import { type ApiError, readDownload } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Skeleton } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { Time } from '../../ui/time.tsx'
import { read } from '../api.ts'
import { KEYS } from '../key-table.ts'
import { useMay } from '../session.ts'
import { type Candidate, candidateName, dataOf } from './data.ts'
import { documentType, textOfDocument } from './document-text.ts'
import { PdfFrame } from './pdf-frame.tsx'
import { ReadFault } from './read-fault.tsx'
import { whyUnreadable } from './resume-words.ts'
import { saveFile } from './save-file.ts'
import { Unlock } from './unlock.tsx'
import { RefusedPart, Withheld } from './withheld.tsx'
import { fileSize } from './words.ts'

interface ResumePaneProps {
  candidate: Candidate
  /** the reader asked to see it: here, or at a candidate before this one */
  open: boolean
  onToggle: () => void
  reload: () => void
}

/**
 * The résumé. Its file is fetched when the reader opens it, once: that is when a unit of the day's budget is used and the
 * audit row is written. Going to the next candidate with the résumé open is asking for the next one's.
 */
export function ResumePane({ candidate, open, onToggle, reload }: ResumePaneProps) {
  const may = useMay()
  const { resume, application } = candidate
  const found = dataOf(resume)
  const form = found ? formOf(found, may) : undefined
  // closed and opened again it is the same view, and is not read again
  const loaded = useRef<{ of: string; content: Content }>(undefined)
  if (loaded.current?.of !== application.id) loaded.current = undefined
  return (
    <section class="resume" aria-label="Résumé">
      {!application.has_resume ? (
        <Empty title="No résumé">The candidate applied without one.</Empty>
      ) : 'refused' in resume ? (
        <div class="resume-card">
          {resume.refused.code === 'resume_locked' ? (
            <Unlock candidate={candidate} state="locked" reload={reload} />
          ) : resume.refused.status === 404 ? (
            <Withheld title="The résumé is not shown: the person asked that processing stop." />
          ) : (
            <RefusedPart refused={resume.refused} what="résumés" />
          )}
        </div>
      ) : !found || form === undefined ? (
        <div class="resume-card">
          {found && <FileName resume={found} />}
          {found?.resume_access.state === 'view_only' ? (
            <Unlock candidate={candidate} state="view_only" reload={reload} />
          ) : may('resume:raw_text:read') ? (
            <p class="soft">{found?.parse_status === 'failed' ? whyUnreadable(found.parse_error) : UNREAD}</p>
          ) : (
            <Withheld title="This type of file cannot be shown here.">
              The profile shows what was read from it
              {found && may('resume:download') && '; the file can be downloaded under Files'}.
            </Withheld>
          )}
        </div>
      ) : !open ? (
        <div class="resume-card">
          <FileName resume={found} />
          <Button kind="primary" onClick={onToggle} title={`Key: ${KEYS.resume}`}>
            Show résumé
          </Button>
          <p class="small faint">Recorded with your name. It stays open for the candidates after this one.</p>
          {found.resume_access.state === 'view_only' && (
            <Unlock candidate={candidate} state="view_only" reload={reload} />
          )}
        </div>
      ) : (
        <OpenResume
          key={application.id}
          resume={found}
          form={form}
          name={candidateName(candidate)}
          before={loaded.current?.content}
          onLoaded={content => {
            loaded.current = { of: application.id, content }
          }}
          onClose={onToggle}
        />
      )}
    </section>
  )
}

const UNREAD = 'The file is being read. Its text appears here in a moment; the file itself is under Files.'

const FileName = ({ resume }: { resume: Resume }) => (
  <p>
    <b class="break">{resume.filename}</b>
    <br />
    <span class="small faint">
      {fileSize(resume.bytes)}
      {resume.resume_access.state === 'open' && (
        <>
          , can be downloaded until <Time at={resume.resume_access.free_until} />
        </>
      )}
    </span>
  </p>
)

/** `file text`: made in the page from the file; `read text`: as the service read it */
type Form = 'pdf' | 'plain text' | 'file text' | 'read text'

/** How the reader is shown this file: a PDF as it looks, other types as text. undefined: the role may see neither. */
function formOf({ mime, resume_access: access, parsed }: Resume, may: (scope: Scope) => boolean): Form | undefined {
  const hasFile = access.can_download && may('resume:download')
  if (hasFile && mime === 'application/pdf') return 'pdf'
  if (hasFile && mime.startsWith('text/plain')) return 'plain text'
  if (parsed && may('resume:raw_text:read')) return 'read text'
  return hasFile && documentType(mime) ? 'file text' : undefined
}

interface Content {
  bytes?: ArrayBuffer
  text?: string
  remaining: number | null
}

async function load(resume: Resume, form: Form, signal: AbortSignal): Promise<Content> {
  const id = resume.application_id
  if (form === 'read text') {
    const { parsed } = await read('/v1/applications/{application_handle}/resume', { application_handle: id }, signal)
    return { text: parsed?.raw_text ?? '', remaining: null }
  }
  const { bytes, remaining } = await readDownload(`/v1/applications/${id}/resume/file`, signal)
  if (form === 'file text') {
    const text = await textOfDocument(documentType(resume.mime)!, bytes)
    return { bytes, text: text ?? 'The file cannot be shown as text. Download it to open it.', remaining }
  }
  return form === 'pdf' ? { bytes, remaining } : { bytes, text: new TextDecoder().decode(bytes), remaining }
}

interface OpenResumeProps {
  resume: Resume
  form: Form
  name: string
  /** what was loaded when it was open before */
  before: Content | undefined
  onLoaded: (content: Content) => void
  onClose: () => void
}

function OpenResume({ resume, form, name, before, onLoaded, onClose }: OpenResumeProps) {
  const [content, setContent] = useState(before)
  const bytes = content?.bytes
  const [error, setError] = useState<ApiError>()
  const [round, setRound] = useState(0)
  const [pages, setPages] = useState('')
  const [zoomed, setZoomed] = useState(0)
  const zoom = (by: 1 | -1) => setZoomed(now => Math.min(MAX_ZOOM, Math.max(-MAX_ZOOM, now + by)))
  useEffect(() => {
    if (content) return
    const abort = new AbortController()
    setError(undefined)
    load(resume, form, abort.signal).then(
      loaded => {
        if (abort.signal.aborted) return
        onLoaded(loaded)
        setContent(loaded)
      },
      failure => abort.signal.aborted || setError(failure),
    )
    return () => abort.abort()
    // the same file: what else of the record changes is not a reason to read it again, which would cost a unit
  }, [resume.id, form, round])
  const about = [
    pages,
    content && content.remaining !== null && content.remaining < LOW
      ? `${amount(content.remaining, 'read')} left today`
      : '',
  ]
  return (
    <>
      <div class="resume-bar">
        <span class="resume-name" title={resume.filename}>
          {resume.filename}
        </span>
        <span class="small faint">{about.filter(Boolean).join(', ')}</span>
        {bytes && form === 'pdf' && (
          <>
            <button type="button" class="icon-button" aria-label="Smaller" title="Smaller" onClick={() => zoom(-1)}>
              <Icon name="minus" />
            </button>
            <button type="button" class="icon-button" aria-label="Larger" title="Larger" onClick={() => zoom(1)}>
              <Icon name="plus" />
            </button>
          </>
        )}
        {bytes && (
          <button
            type="button"
            class="icon-button"
            aria-label="Download"
            title="Download"
            onClick={() => saveFile(bytes, resume.filename)}
          >
            <Icon name="download" />
          </button>
        )}
        <button type="button" class="icon-button" aria-label="Close the résumé" title="Close (r)" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {error ? (
        <div class="resume-card">
          <ReadFault error={error} retry={() => setRound(round + 1)} />
        </div>
      ) : !content ? (
        <Skeleton />
      ) : form === 'pdf' && bytes ? (
        <PdfFrame
          bytes={bytes}
          zoomed={zoomed}
          title={`Résumé of ${name}`}
          onPages={(drawn, total) =>
            setPages(drawn < total ? `first ${drawn} of ${total} pages` : amount(total, 'page'))
          }
        />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard, too
        <pre class="resume-text" tabIndex={0}>
          {content.text || 'There is no text in this file.'}
        </pre>
      )}
    </>
  )
}

/** Steps of a quarter in each direction: from 40% to 240% of the width. */
const MAX_ZOOM = 4

/** From here on the number that is left is shown. */
const LOW = 100
