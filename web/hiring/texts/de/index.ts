import type { en } from '../en/index.ts'
import { activity } from './activity.ts'
import { adding } from './adding.ts'
import { board } from './board.ts'
import { candidate } from './candidate.ts'
import { candidates } from './candidates.ts'
import { common } from './common.ts'
import { decisions } from './decisions.ts'
import { erasure } from './erasure.ts'
import { imports } from './imports.ts'
import { insight } from './insight.ts'
import { interviews } from './interviews.ts'
import { jobs } from './jobs.ts'
import { messages } from './messages.ts'
import { notes } from './notes.ts'
import { roles } from './roles.ts'
import { scorecards } from './scorecards.ts'
import { search } from './search.ts'
import { settings } from './settings.ts'
import { tasks } from './tasks.ts'
import { views } from './views.ts'

export const de: typeof en = {
  common,
  board,
  decisions,
  search,
  candidate,
  candidates,
  notes,
  roles,
  interviews,
  scorecards,
  messages,
  activity,
  adding,
  imports,
  tasks,
  views,
  erasure,
  settings,
  jobs,
  insight,
}
