import { useState } from 'preact/hooks'
import { type ApiError, readDownload } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Link } from '../../ui/router.tsx'
import { Time } from '../../ui/time.tsx'
import { useMay } from '../session.ts'
import { t } from '../texts/index.ts'
import { dataOf } from './data.ts'
import type { PanelProps } from './panel-props.ts'
import { ReadFault } from './read-fault.tsx'
import { saveFile } from './save-file.ts'
import { RefusedPart } from './withheld.tsx'
import { fileSize } from './words.ts'

interface FileRow {
  key: string
  title: string
  filename: string
  bytes: number
  at: string | null
  /** where its bytes are */
  path?: string
  /** why there is nothing to download */
  why?: string
  application?: string
}

/** Every file of the candidate: the résumé, files of the form, and résumés of other applications. */
export function FilesPanel({ candidate }: PanelProps) {
  const may = useMay()
  const { application, resume, files, resumes, job } = candidate
  const own = dataOf(resume)
  const download = (id: string, can: boolean) =>
    can && may('resume:download')
      ? { path: `/v1/applications/${id}/resume/file` }
      : { why: can ? t.candidate.notYourRole : t.candidate.notUnlocked }
  const rows: FileRow[] = [
    ...(own
      ? [
          {
            key: own.id,
            title: t.candidate.resume,
            filename: own.filename,
            bytes: own.bytes,
            at: application.applied_at,
            ...download(application.id, own.resume_access.can_download),
          },
        ]
      : []),
    ...(dataOf(files) ?? []).map(file => ({
      key: file.id,
      title: job?.fields.find(field => field.id === file.field_id)?.label ?? t.candidate.formFile,
      filename: file.filename,
      bytes: file.bytes,
      at: file.created_at,
      path: `/v1/applications/${application.id}/files/${file.id}/content`,
    })),
    ...(dataOf(resumes) ?? []).map(other => ({
      key: other.id,
      title: t.candidate.otherResume,
      filename: other.filename,
      bytes: other.bytes,
      at: null,
      application: other.application_id,
      ...download(other.application_id, other.resume_access.can_download),
    })),
  ]
  if ('refused' in resume && 'refused' in files)
    return <RefusedPart refused={resume.refused} what={t.candidate.filesOfCandidates} />
  return (
    <>
      {rows.length === 0 && !application.has_resume && (
        <Empty title={t.candidate.noFiles}>{t.candidate.noFilesMeans}</Empty>
      )}
      {'refused' in resume && resume.refused.code === 'resume_locked' && <p class="soft">{t.candidate.lockedFile}</p>}
      <ul class="files">
        {rows.map(row => (
          <FileLine key={row.key} row={row} />
        ))}
      </ul>
      {rows.some(row => row.path) && <p class="small faint">{t.candidate.downloadsRecorded}</p>}
    </>
  )
}

function FileLine({ row }: { row: FileRow }) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const save = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const { bytes } = await readDownload(row.path!)
      saveFile(bytes, row.filename)
    } catch (failure) {
      setError(failure as ApiError)
    } finally {
      setBusy(false)
    }
  }
  return (
    <li>
      <div class="file-text">
        <span class="soft">{row.title}</span>
        <b>{row.filename}</b>
        <span class="small faint">
          {fileSize(row.bytes)}
          {row.at && (
            <>
              {', '}
              <Time at={row.at} />
            </>
          )}
        </span>
        {row.application && <Link to={`/applications/${row.application}`}>{t.candidate.openApplication}</Link>}
        <ReadFault error={error} retry={save} />
      </div>
      {row.path ? (
        <Button small busy={busy} onClick={save}>
          {t.candidate.download}
        </Button>
      ) : (
        <span class="small faint">{row.why}</span>
      )}
    </li>
  )
}
