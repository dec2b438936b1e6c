/** `in_review` as people say it. */
export const words = (code: string): string => code.replaceAll('_', ' ')

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const units = ['bytes', 'KB', 'MB']

export function fileSize(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  return `${size >= 10 || unit === 0 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`
}
