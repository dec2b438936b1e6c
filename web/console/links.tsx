import { Icon } from '../ui/icons.tsx'

/** Below the navigation. */
export const ConsoleLinks = () => (
  <a href="/hiring">
    <Icon name="people" />
    Hiring
  </a>
)
