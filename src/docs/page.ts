/** A page of the documentation: one small template, styles inside, nothing loaded from anywhere. */
const STYLE = `
:root { color-scheme: light dark; --ink: #1d2430; --soft: #5b6676; --line: #d9dee6; --paper: #fff; --tint: #f4f6f9; --link: #1857b8 }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --soft: #9aa5b4; --line: #333b47; --paper: #14181e; --tint: #1c222b; --link: #7fb0ff } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif }
header, main { max-width: 60rem; margin: 0 auto; padding: 0 1.25rem }
header { padding-top: 1.5rem; padding-bottom: 1rem; border-bottom: 1px solid var(--line) }
header nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem }
main { padding-bottom: 4rem }
a { color: var(--link) }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 2rem 0 .5rem }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .25rem; scroll-margin-top: 1rem }
:target { background: var(--tint); outline: .5rem solid var(--tint) }
p { margin: .4rem 0 }
.soft { color: var(--soft) }
code, pre { font: .9em/1.5 ui-monospace, monospace }
code { background: var(--tint); padding: .1em .3em; border-radius: 4px }
pre { background: var(--tint); padding: 1rem; overflow-x: auto; border-radius: 6px }
pre code { padding: 0; background: none }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .95rem }
th, td { text-align: left; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
`

const PAGES = [
  ['/docs', 'Start'],
  ['/docs/errors', 'Errors'],
  ['/docs/events', 'Events'],
  ['/docs/scopes', 'Scopes'],
  ['/api/partner/v1/openapi.json', 'OpenAPI'],
] as const

export function page(title: string, body: string): string {
  const nav = PAGES.map(([href, name]) => `<a href="${href}">${name}</a>`).join('')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Hiring Partner API</title><style>${STYLE}</style></head>
<body><header><nav aria-label="Documentation">${nav}</nav></header><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>
`
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Text with `code` in backticks. */
export const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
