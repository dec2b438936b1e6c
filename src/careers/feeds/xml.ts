/** The first line of every document. */
export const XML = '<?xml version="1.0" encoding="utf-8"?>\n'

/** What XML 1.0 cannot contain, not even escaped: most control characters, halves of characters, two others. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text between tags and in quoted attributes. */
export const xmlText = (text: string): string =>
  text.replace(FORBIDDEN, '').replace(/[&<>"]/g, sign => ENTITIES[sign] ?? sign)

/** Text as it is. Its only sign with a meaning, the end, is divided between two sections. */
export const cdata = (text: string): string =>
  `<![CDATA[${text.replace(FORBIDDEN, '').replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
