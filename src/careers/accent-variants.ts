// Imports nothing: the console shows with the same computation what a colour becomes.

/** What the service uses where a company chose no colour: `--accent` of `tokens.css`. */
export const OWN_COLOR = '#4b47d6'

/** Backgrounds of `tokens.css` of text in the accent colour, in each theme. */
export const LIGHT_GROUNDS = ['#ffffff', '#f7f8fa', '#f1f3f7'] as const
export const DARK_GROUNDS = ['#0f1218', '#161a22', '#1a1f29', '#0b0e13'] as const

/** The least contrast of text that WCAG 2.2 accepts at level AA, and a little for rounding. */
const TEXT_CONTRAST = 4.55

/** The same for parts that are not text. */
const EDGE_CONTRAST = 3

export interface AccentVariants {
  /** text, links and marks */
  text: string
  /** the same under the pointer */
  textStrong: string
  /** background of marks, on which `text` is readable */
  soft: string
  /** background of buttons: the colour itself */
  fill: string
  /** edge of buttons, where the colour hardly differs from the page */
  fillEdge: string
  fillStrong: string
  /** text on both fills */
  onFill: string
}

/** Colours of one theme that can be read, as near to the given one as that allows. */
export function accentVariants(color: string, theme: 'light' | 'dark'): AccentVariants {
  const light = theme === 'light'
  const grounds = light ? LIGHT_GROUNDS : DARK_GROUNDS
  const soft = mix(color, grounds[0], light ? 0.09 : 0.2)
  // towards black on light grounds, towards white on dark ones
  const end = light ? '#000000' : '#ffffff'
  const text = readable(color, [...grounds, soft], end)
  const fill = color
  const onFill = contrast(fill, '#ffffff') >= TEXT_CONTRAST ? '#ffffff' : '#0b0e13'
  return {
    text,
    textStrong: mix(end, text, 0.25),
    soft,
    fill,
    fillEdge: contrast(color, grounds[0]) >= EDGE_CONTRAST ? color : text,
    // away from the text on it, so that this stays readable
    fillStrong: mix(onFill === '#ffffff' ? '#000000' : '#ffffff', fill, 0.16),
    onFill: contrast(fill, onFill) >= TEXT_CONTRAST ? onFill : '#000000',
  }
}

/** The nearest mixture with `end` that can be read on all of the grounds. */
function readable(color: string, grounds: readonly string[], end: string): string {
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = mix(end, color, share)
    if (grounds.every(ground => contrast(mixed, ground) >= TEXT_CONTRAST)) return mixed
  }
  return end
}

type Rgb = readonly [number, number, number]

const rgb = (color: string): Rgb => {
  const n = Number.parseInt(color.slice(1), 16)
  return [n >> 16, (n >> 8) & 255, n & 255]
}

/** `share` of the first colour and the rest of the second. */
function mix(first: string, second: string, share: number): string {
  const [a, b] = [rgb(first), rgb(second)]
  const parts = a.map((value, i) => Math.round(value * share + (b[i] ?? 0) * (1 - share)))
  return `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`
}

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(color: string): number {
  const [r, g, b] = rgb(color).map(part => {
    const c = part / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

export function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}
