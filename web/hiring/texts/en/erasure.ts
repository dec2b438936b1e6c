export const erasure = {}
