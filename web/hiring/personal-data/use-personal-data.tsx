import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { readDownload } from '../../ui/api.ts'
import { buildAddress } from '../../ui/calls.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { send } from '../api.ts'
import { type Candidate, candidateName, isStopped } from '../candidate/data.ts'
import { saveFile } from '../candidate/save-file.ts'
import { toastWithUndo } from '../candidate/undo.ts'
import { useMay, useSession } from '../session.ts'
import { t } from '../texts/index.ts'
import { AskDialog, DownloadDialog, SendDialog, StopDialog } from './dialogs.tsx'
import { EraseDialog } from './erase-dialog.tsx'
import { undoErasure } from './undo.ts'

type Asked = 'erase' | 'ask' | 'stop' | 'send' | 'download'

interface PersonalData {
  /** for the menu of the candidate; empty: the reader may do none of it */
  items: MenuItem[]
  dialog: ComponentChildren
}

/** What the reader may ask for about the person's data. An erasure can follow a stop, and nothing can follow an erasure. */
function useChoices(candidate: Candidate): readonly Asked[] {
  const { user } = useSession()
  const may = useMay()
  const { erasure, application } = candidate
  if (application.applicant_id === null) return []
  const isOwner = user.role === 'owner'
  if (erasure && erasure.reason !== 'stop_processing') return []
  if (erasure || isStopped(candidate)) return isOwner ? ['erase'] : []
  if (isOwner) return ['send', 'download', 'stop', 'erase']
  const sends = user.role === 'admin' ? (['send'] as const) : []
  return [...sends, ...(may('notes:write') && candidate.may.includes('discuss') ? (['ask'] as const) : [])]
}

export function usePersonalData(candidate: Candidate, reload: () => void): PersonalData {
  const [asked, setAsked] = useState<Asked>()
  const onClose = () => setAsked(undefined)
  const choices = useChoices(candidate)
  const { id, applicant_id } = candidate.application
  const applicant = applicant_id ?? ''
  const name = candidateName(candidate)

  /** What was planned is shown, and can be undone for ten seconds. */
  const planned = (text: string, undo: () => Promise<void>) => {
    onClose()
    reload()
    toastWithUndo(
      text,
      async () => {
        await undo()
        reload()
        return undefined
      },
      { about: applicant },
    )
  }
  const undoPlanned = () => undoErasure(applicant, name)
  const dialogs: Readonly<Record<Asked, () => ComponentChildren>> = {
    erase: () => (
      <EraseDialog
        applicant={applicant}
        name={name}
        onClose={onClose}
        onErase={async body => {
          await send('/applicants/{applicant}/erase', { applicant }, body)
          planned(t.erasure.eraseSoon(name), undoPlanned)
        }}
      />
    ),
    stop: () => (
      <StopDialog
        name={name}
        onClose={onClose}
        onConfirm={async () => {
          await send('/applicants/{applicant}/stop', { applicant })
          planned(t.erasure.stopSoon(name), undoPlanned)
        }}
      />
    ),
    send: () => (
      <SendDialog
        applicant={applicant}
        name={name}
        onClose={onClose}
        onConfirm={async () => {
          await send('/applicants/{applicant}/send-data', { applicant })
          planned(t.erasure.linkLeaves, async () => {
            await send('/applicants/{applicant}/send-data/undo', { applicant })
            toast(t.erasure.linkNotSent, 'good', undefined, applicant)
          })
        }}
      />
    ),
    download: () => (
      <DownloadDialog
        name={name}
        onClose={onClose}
        onConfirm={async () => {
          const { bytes } = await readDownload(buildAddress('/applicants/{applicant}/data.zip', { applicant }))
          saveFile(bytes, `data-${applicant}.zip`)
          onClose()
          toast(t.erasure.downloaded)
          reload()
        }}
      />
    ),
    ask: () => (
      <AskDialog
        applicationId={id}
        name={name}
        onClose={onClose}
        onAsked={() => {
          onClose()
          toast(t.erasure.asked)
        }}
      />
    ),
  }
  const items = choices.map(
    (choice, i): MenuItem => ({
      label: t.erasure[choice],
      onSelect: () => setAsked(choice),
      isDanger: choice === 'erase' || choice === 'stop',
      isAfterLine: i === 0,
    }),
  )
  return { items, dialog: asked && dialogs[asked]() }
}
