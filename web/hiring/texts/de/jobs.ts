import type { jobs as english } from '../en/jobs.ts'

export const jobs: typeof english = {
  title: 'Stellen',
  pages: 'Seiten dieser Stelle',
  details: 'Angaben',
  stages: 'Phasen',
  form: 'Formular',
  questions: 'Fragen',
  scorecards: 'Bewertungen',
  careersPage: 'Karriereseite',
  statuses: { published: 'Veröffentlicht', draft: 'Entwurf', closed: 'Geschlossen' },
}
