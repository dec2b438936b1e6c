/** One line of what `hiring doctor` says. */
export interface Check {
  name: string
  configured: string
  state: 'ok' | 'warning' | 'failing' | 'not used'
  detail: string
}
