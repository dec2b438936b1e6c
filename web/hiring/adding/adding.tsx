import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { MAX_ADDED } from '../../../src/contract/added-sources.ts'
import { toast } from '../../ui/toast.tsx'
import { t } from '../texts/index.ts'
import { AddDialog } from './add-dialog.tsx'
import { useFileDrop } from './drop.ts'
import { FilesDialog } from './files-dialog.tsx'
import type { JobStage } from './stage-and-source.tsx'

interface AddingOptions {
  job: { id: string; status: string } | undefined
  stages: readonly JobStage[]
  /** whether the reader decides about candidates of the job */
  mayAdd: boolean
  onAdded: (ids: string[]) => void
}

export interface Adding {
  /** undefined: the reader adds no one to this job, or it is closed */
  open: (() => void) | undefined
  /** the dialog, and where files can be dropped */
  parts: ComponentChildren
  isOpen: boolean
}

/** How people are put into a job from its page: by a form, and by files that are dropped on it. */
export function useAdding({ job, stages, mayAdd, onAdded }: AddingOptions): Adding {
  const [asked, setAsked] = useState<'form' | readonly File[]>()
  const isClosed = job?.status === 'closed'
  const close = () => setAsked(undefined)
  const isOver = useFileDrop(files => {
    if (!mayAdd || !job) return
    if (isClosed) toast(t.adding.jobIsClosed, 'bad')
    else setAsked(files)
  })
  const props = job && { job, stages, onClose: close, onAdded }
  const parts = mayAdd && props && (
    <>
      {isOver && !isClosed && asked === undefined && <DropHere />}
      {asked === 'form' ? (
        <AddDialog {...props} onFiles={setAsked} />
      ) : (
        asked && <FilesDialog {...props} files={asked} />
      )}
    </>
  )
  const open = mayAdd && job && !isClosed ? () => setAsked('form') : undefined
  return { open, parts, isOpen: asked !== undefined }
}

/** While files are over the page. */
const DropHere = () => (
  <div class="drop-here" aria-hidden="true">
    <p>
      <b>{t.adding.dropHere}</b>
      <span>{t.adding.dropHint(MAX_ADDED)}</span>
    </p>
  </div>
)
