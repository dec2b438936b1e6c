export const scorecards = {
  yoursFirst: (n: number) => `${n === 1 ? '1 scorecard' : `${n} scorecards`}. Yours first.`,
}
