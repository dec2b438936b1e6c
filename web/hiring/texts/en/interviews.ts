export const interviews = {}
