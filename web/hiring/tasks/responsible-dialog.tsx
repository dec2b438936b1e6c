import { ApiError } from '../../ui/api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { send, useData } from '../api.ts'
import { t } from '../texts/index.ts'
import { Choices } from './later-dialog.tsx'
import type { Task } from './rows.ts'

interface ResponsibleProps {
  tasks: readonly Task[]
  onClose: () => void
  onChanged: () => void
}

/** Who is responsible for the candidates of tasks; the members are those of the first candidate's job. */
export function ResponsibleDialog({ tasks, onClose, onChanged }: ResponsibleProps) {
  const ids = [...new Set(tasks.map(task => task.application_id))]
  const { data, error, reload } = useData('/members', { application_id: ids[0] ?? '' })
  const assign = async (member: { id: string; name: string } | null) => {
    onClose()
    const results = await Promise.all(ids.map(id => assignOne(id, member?.id ?? null)))
    const refused = results.filter(done => !done).length
    if (refused > 0) toast(t.tasks.refused(refused), 'bad')
    if (refused < ids.length) toast(member ? t.tasks.assigned(member.name) : t.tasks.assignedTeam)
    onChanged()
  }
  const members = data?.members.filter(member => member.decides) ?? []
  return (
    <Dialog title={t.tasks.responsibleTitle(ids.length)} onClose={onClose}>
      {error && !data ? (
        <ErrorNote error={error} retry={reload} />
      ) : !data ? (
        <Skeleton lines={4} />
      ) : (
        <Choices
          choices={[
            ...members.map(member => ({ title: member.name, note: '', run: () => void assign(member) })),
            { title: t.tasks.team, note: '', run: () => void assign(null) },
          ]}
        />
      )}
    </Dialog>
  )
}

/** Whether it was done: others are not stopped by one who may not. */
async function assignOne(application: string, userId: string | null): Promise<boolean> {
  try {
    await send('/applications/{application}/owner', { application }, { user_id: userId })
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return false
  }
}
