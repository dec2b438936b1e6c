import encodeQR from 'qr'
import { type Html, html } from '../../pages/html.ts'

/** Cameras need a light margin of four modules around the code. */
const MARGIN = 4

/** Dark modules on white, also on dark pages: not every camera reads inverted codes. */
export function qrCode(text: string, label: string): Html {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: MARGIN })
  const size = modules.length
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" width="220" height="220" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`
}
