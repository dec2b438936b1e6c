const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** `1.4 GB`, for people. */
export function byteSize(bytes: number): string {
  let value = bytes
  let unit = 0
  for (; value >= 1000 && unit < UNITS.length - 1; unit++) value /= 1000
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`
}
