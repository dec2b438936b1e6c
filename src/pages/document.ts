import { type Html, html, type Part } from './html.ts'

export interface DocumentParts {
  /** default: English */
  language?: string
  title: string
  /** the text of the striped bar, on pages of a test workspace; the title begins with "Test" */
  mark?: string | undefined
  /** the rest of the head: icon, styles and scripts by their addresses, nothing inline and nothing from another host */
  head: Part
  bodyClass?: string
  body: Part
}

/** A whole HTML document: the frame of every page. */
export const document = ({ language = 'en', title, mark, head, bodyClass, body }: DocumentParts): Html =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${mark !== undefined && 'Test · '}${title}</title>
${head}
</head>
<body${bodyClass && html` class="${bodyClass}"`}>${mark !== undefined && html`<p class="test-mark" role="note">${mark}</p>`}${body}</body>
</html>
`

/** Leads past the navigation, for people who use the keyboard: the first link of a page whose content is `#content`. */
export const skipLink = (text: string): Html => html`<a class="skip" href="#content">${text}</a>`
