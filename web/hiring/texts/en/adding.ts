export const adding = {}
