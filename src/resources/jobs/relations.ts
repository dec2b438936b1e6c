import { relationById, relationToMany } from '../../kernel/http/include.ts'
import { readSiteUrl } from './read-job.ts'
import { jobRowShape, stageSummaryShape } from './shape.ts'
import { jobRowsById, type StageRow, stagesById, stagesOfJobs, toJobRow } from './store.ts'

type JobRow = ReturnType<typeof toJobRow>

/** The job of a row, for `include=job`. */
export const jobRelation = relationById<{ job_id: string }, JobRow>({
  scope: 'jobs:read',
  shape: jobRowShape,
  idOf: row => row.job_id,
  read: async ({ db, workspace, services }, ids) => {
    const [rows, siteUrl] = await Promise.all([
      db.query(jobRowsById(workspace, ids)),
      readSiteUrl(db, workspace, services.publicUrl),
    ])
    return rows.map(row => toJobRow(row, siteUrl))
  },
  keyOf: job => job.id,
})

/** The stage of an application, for `include=stage`. */
export const stageRelation = relationById<{ stage_id: string }, Pick<StageRow, 'id'>>({
  scope: 'jobs:read',
  shape: stageSummaryShape,
  idOf: row => row.stage_id,
  read: ({ db, workspace }, ids) => db.query(stagesById(workspace, ids)),
  keyOf: stage => stage.id,
})

/** The stages of a job, for `include=pipeline_stages`. Their applications are not counted: a page may have a hundred jobs. */
export const stagesRelation = relationToMany<{ id: string }, StageRow>({
  scope: 'jobs:read',
  shape: stageSummaryShape,
  read: ({ db, workspace }, ids) => db.query(stagesOfJobs(workspace, ids)),
  keyOf: stage => stage.job_id,
})
