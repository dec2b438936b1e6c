export const roles = {
  names: { recruiter: 'Recruiter', hiring_manager: 'Hiring manager', interviewer: 'Interviewer (feedback only)' },
  roleOf: (name: string) => `Role of ${name} in this job`,
  joined: (name: string) => `${name} is on the team`,
  left: (name: string) => `${name} is no longer on the team`,
  changed: (name: string, role: string) => `${name} is ${role} in this job`,
  notSaved: 'Not saved',
  limited: 'Limited to their jobs',
  limitedMeans:
    'These people see this job and its candidates only while they are on its team. Admins choose who is limited, on the People page of the console.',
  noLimited: 'No one is limited to certain jobs',
  everywhere: 'With access to all jobs',
  everywhereMeans:
    'On the team, they find the waiting candidates of this job in their tasks. People who are not on any team find those of all jobs. Who is not on the team acts as recruiter.',
  keys: 'Roles apply to these pages. A member with access to all jobs keeps the scopes of their API key; to enforce a role, limit the person to their jobs: keys of limited people cannot read candidates.',
  noEverywhere: 'No one has access to all jobs',
  meaning: {
    recruiter: 'Recruiters do everything in the job.',
    hiring_manager: 'Hiring managers decide about candidates and write to them; they do not hire or change the set-up.',
    interviewer:
      'Interviewers see whom they interview or were asked about, and give feedback: no contact details, messages or decisions.',
  },
  smaller: 'The role in the workspace counts as well: the smaller one wins. Owners and admins may do everything.',
}
