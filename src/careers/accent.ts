import { createHash } from 'node:crypto'
import { deleteOldest } from '../kernel/async/delete-oldest.ts'
import type { Packed } from '../kernel/http/packed.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import { assetRoute, packAsset } from '../pages/assets.ts'
import { type AccentVariants, accentVariants } from './accent-variants.ts'

/**
 * The accent colour of a site as a style sheet. It is a function of six hexadecimal digits and of nothing else, so there
 * is nothing that a setting could add to it. Its name holds the colour and a hash of its text: browsers keep it for ever.
 */
const PREFIX = '/assets/accent/'
const COLOR = /^#[0-9a-f]{6}$/

/** The address of the style sheet of a colour; none for the product's own. */
export function accentSheet(color: string | null): string | undefined {
  if (color === null || !COLOR.test(color)) return undefined
  return `${PREFIX}${color.slice(1)}.${hashOf(sheet(color))}.css`
}

export const accentRoutes = (): RawRoute[] => [assetRoute(PREFIX, find)]

function find(name: string): Packed | undefined {
  const [, digits, hash] = /^([0-9a-f]{6})\.([0-9a-f]{12})\.css$/.exec(name) ?? []
  if (!digits) return undefined
  const text = sheet(`#${digits}`)
  return hashOf(text) === hash ? packAsset(name, Buffer.from(text)) : undefined
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

/** Sites that were shown lately. */
const SHEETS_KEPT = 500
const sheets = new Map<string, string>()

function sheet(color: string): string {
  const cached = sheets.get(color)
  if (cached) return cached
  const light = accentVariants(color, 'light')
  const dark = accentVariants(color, 'dark')
  const value = (name: keyof AccentVariants) => `light-dark(${light[name]}, ${dark[name]})`
  const text = `:root {
  --accent: ${value('text')};
  --accent-strong: ${value('textStrong')};
  --accent-soft: ${value('soft')};
  --on-accent: light-dark(#ffffff, #0b0e13);
  --fill: ${value('fill')};
  --fill-edge: ${value('fillEdge')};
  --fill-strong: ${value('fillStrong')};
  --on-fill: ${value('onFill')};
  --ring: 0 0 0 3px ${`light-dark(${light.text}47, ${dark.text}59)`};
}
`
  if (sheets.size >= SHEETS_KEPT) deleteOldest(sheets)
  sheets.set(color, text)
  return text
}
