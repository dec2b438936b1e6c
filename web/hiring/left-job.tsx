import type { ComponentType } from 'preact'
import { Empty } from '../ui/notice.tsx'
import { PageHead } from '../ui/page.tsx'
import type { PageProps } from '../ui/page-props.ts'
import { Link } from '../ui/router.tsx'
import { useLeftJob } from './live.ts'

/** In the place of a page that its reader may not see any more. */
export const LeftJob = () => (
  <div role="alert">
    <PageHead title="No longer on the team" />
    <Empty title="You are no longer on the team of this job">
      Its candidates are not shown to you any more. Ask an admin if you still work on it.{' '}
      <Link to="/">See your jobs</Link>
    </Empty>
  </div>
)

/** A page of one job, the one that `id` of its address names. */
export const ofJob =
  (Page: ComponentType<PageProps<'id'>>): ComponentType<PageProps<'id'>> =>
  props =>
    useLeftJob(props.params.id) ? <LeftJob /> : <Page {...props} />
