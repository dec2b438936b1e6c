import { useState } from 'preact/hooks'
import { type ApiError, readDownload } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { percent } from '../../ui/numbers.ts'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { type Read, useData } from '../api.ts'
import type { Check } from '../checks/data.ts'
import { outcomeTitle, outcomeTone, passingTitle, scoreTitle } from '../checks/words.ts'
import { PdfFrame } from './pdf-frame.tsx'
import { ReadFault } from './read-fault.tsx'
import { saveFile } from './save-file.ts'
import { fileSize } from './words.ts'

type Result = Read<'/v1/orders/{order_handle}/result'>
type Report = Result['reports'][number]

/** What the vendor found, as it wrote it. */
export function CheckResult({ check }: { check: Check }) {
  const { data: result, error, reload } = useData('/v1/orders/{order_handle}/result', { order_handle: check.id })
  if (error && !result) return <ErrorNote error={error} retry={reload} />
  if (!result) return <Skeleton lines={2} />
  const { score, score_pct: pct, sections, summary, reports, late, revision } = result
  const passing = score === null ? undefined : passingTitle(score)
  return (
    <section class="check-result" aria-label={`Result of ${check.package_name}`}>
      <p class="check-outcome">
        {result.outcome !== 'none' && <Tag tone={outcomeTone(result.outcome)}>{outcomeTitle(result.outcome)}</Tag>}
        {score !== null && (
          <>
            <b>{pct === null ? scoreTitle(score) : percent(pct)}</b>
            <span class="soft small">
              {[pct === null || score.unit === 'percent' ? undefined : scoreTitle(score), passing]
                .filter(Boolean)
                .join(', ')}
            </span>
          </>
        )}
        {result.outcome === 'none' && score === null && <span class="soft">The vendor gives no outcome.</span>}
      </p>
      {sections.length > 0 && <Sections sections={sections} />}
      {summary !== null && <p class="as-written">{summary}</p>}
      {reports.length > 0 && (
        <ul class="check-reports" aria-label="Reports">
          {reports.map(report => (
            <ReportRow key={report.id} order={check.id} report={report} />
          ))}
        </ul>
      )}
      <p class="small faint">
        {check.vendor.name}, <Time at={result.completed_at} />
        {late && ', after the due date'}
        {revision > 1 && `, revision ${revision}`}. A person decides: no result moves or rejects anyone.
      </p>
    </section>
  )
}

const Sections = ({ sections }: { sections: Result['sections'] }) => (
  <table class="ratings">
    <thead class="visually-hidden">
      <tr>
        <th scope="col">Part</th>
        <th scope="col">Score</th>
      </tr>
    </thead>
    <tbody>
      {sections.map(({ name, score, comment }, i) => (
        <tr key={`${i} ${name}`}>
          <th scope="row">
            {name}
            {comment !== null && <div class="soft small">{comment}</div>}
          </th>
          <td class="check-score">{score === null ? <span class="faint">–</span> : scoreTitle(score)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

interface ReportProps {
  order: string
  report: Report
}

/** The file is read when it is opened: that costs a unit of the reader's day and is recorded. */
function ReportRow({ order, report }: ReportProps) {
  const [bytes, setBytes] = useState<ArrayBuffer>()
  const { busy, error, submit } = useSubmit()
  const open = () =>
    submit(async () => {
      const { bytes: read } = await readDownload(`/v1/orders/${order}/reports/${report.id}/content`)
      setBytes(read)
    })
  return (
    <li>
      <span class="break">
        {report.filename} <span class="faint small">{fileSize(report.bytes)}</span>
      </span>
      <Button small busy={busy} label={`Open report ${report.filename}`} onClick={open} title="Recorded with your name">
        Open report
      </Button>
      <ReadFault error={error as ApiError | undefined} retry={open} />
      {bytes && <ReportDialog report={report} bytes={bytes} onClose={() => setBytes(undefined)} />}
    </li>
  )
}

/** Drawn in a frame without an origin, as résumés are: the file is from outside. */
function ReportDialog({ report, bytes, onClose }: { report: Report; bytes: ArrayBuffer; onClose: () => void }) {
  return (
    <Dialog title={report.filename} onClose={onClose} wide>
      <div class="report-frame">
        <PdfFrame bytes={bytes} zoomed={0} title={`Report ${report.filename}`} onPages={() => undefined} />
      </div>
      <div class="entry-actions">
        <Button small onClick={() => saveFile(bytes, report.filename)}>
          Download
        </Button>
      </div>
    </Dialog>
  )
}
