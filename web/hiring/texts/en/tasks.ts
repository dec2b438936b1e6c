export const tasks = {
  title: 'My tasks',
  empty: 'Nothing waits for you.',
}
