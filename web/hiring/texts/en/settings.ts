export const settings = {
  title: 'Your account',
}
