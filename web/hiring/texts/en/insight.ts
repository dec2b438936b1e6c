export const insight = {
  title: 'Insight',
}
