import { readCriteria, setCriteria } from '../../src/resources/hiring-team/index.ts'
import { addTemplate } from '../../src/resources/message-templates/index.ts'
import type { DemoJob } from './jobs.ts'
import { daysAgo, type Replay } from './replay.ts'
import type { Workspace } from './workspaces.ts'

/** What the scorecards of the demo rate. */
const CRITERIA = [
  { name: 'Technical depth', description: 'Explains why, not only how' },
  { name: 'Communication', description: 'Listens first, and is understood by people of other trades' },
  { name: 'Ownership', description: 'Finishes what was started' },
  { name: 'Teamwork', description: null },
]

const TEMPLATES = [
  {
    name: 'Invitation to an interview',
    subject: 'Shall we talk about {{job_title}}?',
    body: `Hello {{first_name}},

we read your application for {{job_title}} and would like to get to know you. Which of the next days suits you for a call of 45 minutes?

Kind regards
{{company}}`,
  },
  {
    name: 'Rejection',
    subject: 'Your application as {{job_title}}',
    body: `Hello {{first_name}},

thank you for the time you took to apply for {{job_title}}. We decided for someone whose experience is closer to what the team needs now. We would be glad to hear from you again.

Kind regards
{{company}}`,
  },
]

/** What the team of a company works with: templates of messages, and the criteria of its jobs. */
export function planTeam(replay: Replay, { id }: Workspace, jobs: readonly DemoJob[]): void {
  replay.plan(daysAgo(190), () =>
    replay.change(async tx => {
      for (const template of TEMPLATES) await addTemplate(tx, id, template)
    }),
  )
  replay.plan(daysAgo(2), async () => {
    for (const job of jobs) {
      const before = await readCriteria(replay.db, id, job.id)
      if (!before) continue // deleted
      const wanted = { criteria: CRITERIA, expectedVersion: before.version }
      await replay.change(tx => setCriteria(tx, id, job.id, wanted))
    }
  })
}
