import { type JobRight, rightsInJob } from '../../src/contract/job-rights.ts'
import { useJobRoles } from './live.ts'
import { useSession } from './session.ts'

/** What the reader may do in a job; follows a change of their role there while the page is open. */
export function useJobRights(): (jobId: string, right: JobRight) => boolean {
  const { user, limited, job_roles } = useSession()
  const roles = useJobRoles() ?? job_roles
  const person = {
    role: user.role,
    jobAccess: limited ? ('team' as const) : ('all' as const),
    jobRoles: new Map(Object.entries(roles)),
  }
  return (jobId, right) => rightsInJob(person, jobId).has(right)
}
