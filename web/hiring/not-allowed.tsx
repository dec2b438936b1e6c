import { Empty } from '../ui/notice.tsx'
import { useSession } from './session.ts'

/** Why a page is empty for a reader: their role, or that they are limited to jobs. */
export function NotAllowed({ title }: { title: string }) {
  const { limited } = useSession()
  return limited ? (
    <Empty title="You are limited to the jobs whose team you are on">
      This concerns others too. Ask an admin for more.
    </Empty>
  ) : (
    <Empty title={title}>Your role does not include this. Ask an owner of the workspace to change it.</Empty>
  )
}
