export const scorecards = {}
