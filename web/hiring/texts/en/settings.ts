export const settings = {
  title: 'Your account',
  description: 'How the pages look for you, and what you are emailed.',
  language: 'Language',
  asBrowser: 'As in the browser',
  timeZone: 'Time zone',
  timeZoneHint: 'Times are shown in it, and interviews are planned in it.',
  signIn: 'Password, second factor and sessions',
}
