import { type Html, html, type Part } from './html.ts'

export interface DocumentParts {
  /** default: English */
  language?: string
  title: string
  /** the rest of the head: icon, styles and scripts by their addresses, nothing inline and nothing from another host */
  head: Part
  bodyClass?: string
  body: Part
}

/** A whole HTML document: the frame of every page. */
export const document = ({ language = 'en', title, head, bodyClass, body }: DocumentParts): Html =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
</head>
<body${bodyClass && html` class="${bodyClass}"`}>${body}</body>
</html>
`
