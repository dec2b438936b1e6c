/** What titles of jobs and of people are made of. */
export const FIELDS = [
  'Backend',
  'Frontend',
  'Data',
  'Security',
  'Platform',
  'Mobile',
  'Payments',
  'Growth',
  'Field',
  'Office',
]
export const JOB_ROLES = [
  'Engineer',
  'Manager',
  'Analyst',
  'Designer',
  'Recruiter',
  'Accountant',
  'Consultant',
  'Writer',
]
