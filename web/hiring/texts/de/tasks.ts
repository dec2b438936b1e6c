import type { tasks as english } from '../en/tasks.ts'

export const tasks: typeof english = {
  title: 'Meine Aufgaben',
  empty: 'Nichts wartet auf Sie.',
}
