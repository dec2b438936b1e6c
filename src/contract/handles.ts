/** The type prefix of every handle that partners see. Handles are opaque: stored and compared, never parsed. */
export const PREFIXES = {
  credential: 'pk_',
  installation: 'ins_',
  workspace: 'wsp_',
  user: 'usr_',
  job: 'job_',
  pipeline_stage: 'stg_',
  application: 'app_',
  applicant: 'apl_',
  resume: 'res_',
  upload: 'upl_',
  sourced_profile: 'cnd_',
  pool_profile: 'pool_',
  person: 'per_',
  project: 'prj_',
  list: 'lst_',
  list_membership: 'mem_',
  message: 'msg_',
  package: 'pkg_',
  order: 'ord_',
  event: 'evt_',
  request: 'req_',
  cursor: 'cur_',
} as const

export type HandleKind = keyof typeof PREFIXES
