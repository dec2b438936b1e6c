import { useRef, useState } from 'preact/hooks'
import type { Application } from '../../../packages/sdk/src/generated.ts'
import { isOpen } from '../../../src/contract/application-status.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Menu } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { usePhone } from '../../ui/phone.ts'
import { TransferDialog } from '../adding/transfer-dialog.tsx'
import { MoveDialog } from '../board/dialogs.tsx'
import { HireDialog } from '../decisions/hire-dialog.tsx'
import { RejectDialog } from '../decisions/reject-dialog.tsx'
import { goesOn } from '../decisions/then-next.tsx'
import { WithdrawDialog } from '../decisions/withdraw-dialog.tsx'
import { PlanDialog } from '../interviews/plan-dialog.tsx'
import { KEYS } from '../key-table.ts'
import { isFinal, nextStage } from '../outcome.ts'
import { usePersonalData } from '../personal-data/use-personal-data.tsx'
import { useMay } from '../session.ts'
import { t } from '../texts/index.ts'
import { isSame } from './change.ts'
import { overtakenWords, type Seen } from './conflict.ts'
import { type Candidate, candidateName, isStopped, stageName } from './data.ts'
import { useDecisions } from './decisions.ts'
import { undoLatest } from './undo.ts'

interface ActionsProps {
  candidate: Candidate
  /** reads the candidate again */
  reload: () => void
  /** a change that is shown before the service has confirmed it; undefined takes it back */
  onPatch: (patch: Partial<Application> | undefined) => void
  /** another candidate was asked for: no key acts on this one any more */
  leaving: boolean
  /** shows the next candidate of the list; undefined: there is no list, or this is the last one */
  onNext?: (() => void) | undefined
}

type Asked = 'move' | 'reject' | 'withdraw' | 'hire' | 'plan' | 'transfer'

/** What can be done with an application; for people who may. The filled button is the next step. */
export function Actions({ candidate, reload, onPatch, leaving, onNext }: ActionsProps) {
  const may = useMay()
  const [dialog, setDialog] = useState<Asked>()
  const closeDialog = () => setDialog(undefined)
  const onDecided = () => {
    if (goesOn()) onNext?.()
  }
  const decisions = useDecisions({ candidate, reload, onPatch, closeDialog, onDecided })
  const { status, stage_id } = candidate.application
  const decides = may('applications:write') && candidate.may.includes('decide')
  const mayWrite = decides && !leaving
  const hires = candidate.may.includes('hire')
  // what would be refused is not offered; a withdrawal is the person's own wish, and possible
  const stopped = isStopped(candidate)
  const job = stopped ? null : candidate.job
  const open = mayWrite && !stopped && isOpen(status)
  const ended = mayWrite && !stopped && (status === 'rejected' || status === 'withdrawn')
  const next = job ? nextStage(job.stages, stage_id) : undefined
  const ask = (kind: Asked) => () => {
    decisions.look()
    setDialog(kind)
  }
  const move = { keys: KEYS.move, title: t.decisions.moveTo, run: ask('move') }
  const reject = { keys: KEYS.reject, title: t.decisions.reject, run: ask('reject') }
  const hire = { keys: KEYS.hire, title: t.decisions.hire, run: ask('hire') }
  const advance = next
    ? { keys: KEYS.advance, title: t.decisions.advanceTo(next.name), run: () => decisions.move(next.id) }
    : { keys: KEYS.advance, title: t.decisions.hire, run: ask('hire') }
  const reopen = { keys: KEYS.reopen, title: t.decisions.reopen, run: decisions.reopen }
  const unhire = { keys: KEYS.reopen, title: t.decisions.unhire, run: decisions.unhire }
  const withdraw = { keys: KEYS.withdraw, title: t.decisions.withdraw, run: ask('withdraw') }
  const plan = { keys: KEYS.plan, title: t.interviews.planMore, run: ask('plan') }
  const plans = open && may('scorecards:write')
  const transfer = { keys: KEYS.toJob, title: t.adding.toOtherJob, run: ask('transfer') }
  const transfers = mayWrite && hires && job !== null && status !== 'hired'
  const personalData = usePersonalData(candidate, reload)
  const hired = mayWrite && hires && !stopped && status === 'hired'
  const mayWithdraw = mayWrite && status !== 'withdrawn' && status !== 'hired'
  const isPhone = usePhone()
  const second = [...(open && job ? [move] : []), ...(open && hires && next ? [hire] : [])]
  const last = mayWithdraw ? [withdraw] : []
  const further = [...(plans ? [plan] : []), ...(transfers ? [transfer] : [])]
  const inMenu = [...(isPhone ? [...second, ...last] : []), ...further]
  const items = leaving
    ? []
    : [...inMenu.map(({ title, keys, run }) => ({ label: title, hint: keys, onSelect: run })), ...personalData.items]
  const menu = useRef<HTMLDivElement>(null)
  const openMenu = () => menu.current?.querySelector('button')?.click()
  useShortcuts([
    ...(open && job ? [move] : []),
    ...(open && job && (next || hires) ? [advance] : []),
    ...(open ? [reject] : []),
    ...(open && hires ? [hire] : []),
    ...(plans ? [plan] : []),
    ...(transfers ? [transfer] : []),
    ...(items.length > 0 ? [{ keys: KEYS.menu, title: t.common.more, run: openMenu }] : []),
    ...(ended ? [reopen] : []),
    ...(hired ? [unhire] : []),
    ...(mayWithdraw ? [withdraw] : []),
    ...(mayWrite ? [{ keys: KEYS.undo, title: t.common.undo, run: undoLatest }] : []),
  ])
  if (!decides && items.length === 0) return null
  return (
    <>
      <div class="candidate-actions">
        {!isPhone && second.map(one => <ActionButton key={one.keys} {...one} />)}
        {open && <ActionButton {...reject} kind="danger" />}
        {!isPhone && last.map(one => <ActionButton key={one.keys} {...one} />)}
        {open && job && (next || hires) && <ActionButton {...advance} kind="primary" />}
        {ended && <ActionButton {...reopen} kind="primary" />}
        {hired && <ActionButton {...unhire} />}
        {items.length > 0 && (
          <div ref={menu} class="candidate-more">
            <Menu class="button secondary" label={t.common.more} alignEnd items={items}>
              <Icon name="more" size={16} />
            </Menu>
          </div>
        )}
      </div>
      {personalData.dialog}
      {decisions.conflict && <Conflict candidate={candidate} saw={decisions.conflict} />}
      {dialog && (
        <ActionDialog
          asked={dialog}
          candidate={candidate}
          decisions={decisions}
          onClose={closeDialog}
          hasNext={onNext !== undefined}
          reload={reload}
        />
      )}
    </>
  )
}

interface ActionButtonProps {
  keys: string
  title: string
  run: () => void
  kind?: 'primary' | 'danger'
}

const ActionButton = ({ keys, title, run, kind }: ActionButtonProps) => (
  <Button {...(kind ? { kind } : {})} onClick={run} title={t.candidate.key(keys)}>
    {title}
  </Button>
)

interface ActionDialogProps {
  asked: Asked
  candidate: Candidate
  decisions: ReturnType<typeof useDecisions>
  onClose: () => void
  hasNext: boolean
  reload: () => void
}

function ActionDialog({ asked, candidate, decisions, onClose, hasNext, reload }: ActionDialogProps) {
  const may = useMay()
  const { id, stage_id, status, job_id, source } = candidate.application
  const name = candidateName(candidate)
  const stopped = isStopped(candidate)
  const now: Seen = { stage_id, status }
  const { seen, overtaken } = decisions
  const conflict = <Conflict candidate={candidate} saw={overtaken.current} />
  if (asked === 'move') {
    if (!candidate.job || stopped) return null
    return (
      <MoveDialog
        targets={[{ id, name, stopped, ...now }]}
        stages={candidate.job.stages.filter(stage => !isFinal(stage))}
        note={isSame(now, seen.current) ? undefined : whatHappened(candidate, seen.current)}
        onClose={onClose}
        onMove={decisions.move}
      />
    )
  }
  if (asked === 'plan') return <PlanDialog candidate={candidate} reload={reload} onClose={onClose} />
  if (asked === 'transfer')
    return (
      <TransferDialog
        people={[
          { applicationId: id, jobId: job_id, jobTitle: candidate.job?.title, name, isDecided: !isOpen(status) },
        ]}
        onClose={onClose}
        onMoved={reload}
      />
    )
  if (asked === 'hire')
    return (
      <HireDialog
        name={name}
        mayClose={may('jobs:write') && candidate.may.includes('setup')}
        onClose={onClose}
        onHire={decisions.hire}
        conflict={conflict}
      />
    )
  if (asked === 'reject') {
    return (
      <RejectDialog
        jobId={job_id}
        people={[{ applicationId: id, name, source }]}
        hasNext={hasNext}
        onClose={onClose}
        onReject={decisions.reject}
        conflict={conflict}
      />
    )
  }
  return (
    <WithdrawDialog
      jobId={job_id}
      applicationId={id}
      name={name}
      hasNext={hasNext}
      onClose={onClose}
      onWithdraw={decisions.withdraw}
      conflict={conflict}
    />
  )
}

const whatHappened = (candidate: Candidate, saw: Seen): string =>
  overtakenWords(candidateName(candidate), saw, candidate.application, candidate.latest_step, id =>
    stageName(candidate, id),
  )

/** Why a change was not made: what someone else did since the reader saw the candidate. */
const Conflict = ({ candidate, saw }: { candidate: Candidate; saw: Seen }) => (
  <div role="alert">
    <Notice tone="warn">
      <p>{whatHappened(candidate, saw)} Your change was not made. Make it again if it is still right.</p>
    </Notice>
  </div>
)
