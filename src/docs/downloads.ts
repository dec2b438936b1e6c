import { DOWNLOADS_PATH, type DownloadName, type Downloads, findDownload } from '../downloads/downloads.ts'
import { html } from '../pages/html.ts'
import { codeBlock } from './highlight.ts'
import type { DocPage } from './layout.ts'

/**
 * Fences that install a file of this service: ```` ```console download=sdk ````. `{url}`, `{filename}`, `{version}` and
 * `{sha256}` are those of the file. A service without downloads has a notice in their place.
 */
export const expandDownloads = (source: string, downloads: Downloads | undefined): string =>
  source.replace(
    /^```(\w+) download=(\w+)\n([^`]*)\n```$/gm,
    (_, language: string, name: DownloadName, code: string) =>
      downloads ? fenceFor(language, code, downloads, name) : NO_DOWNLOADS,
  )

const NO_DOWNLOADS = '> **Note** This service offers no downloads. Ask its operator for the file.'

function fenceFor(language: string, code: string, downloads: Downloads, name: DownloadName): string {
  const file = findDownload(downloads, name)
  const filled = code.replace(/\{(url|filename|version|sha256)\}/g, (_, field: keyof typeof file) =>
    String(file[field]),
  )
  return `\`\`\`${language}\n${filled}\n\`\`\``
}

const PARTS: readonly { name: DownloadName; title: string; about: string }[] = [
  { name: 'sdk', title: 'TypeScript SDK', about: 'For Node, Deno, Bun and browsers. It has no dependencies.' },
  { name: 'wheel', title: 'Python SDK', about: 'Synchronous and asynchronous. Its only dependency is httpx.' },
  { name: 'sdist', title: 'Python SDK, sources', about: 'For programs that build wheels themselves.' },
  {
    name: 'cli',
    title: 'Command for partners',
    about:
      'Receives events on your machine (listen, events tail, resend), and serves the tools for AI assistants (mcp).',
  },
  { name: 'openapi', title: 'OpenAPI description', about: 'Generate a client in any other language from it.' },
]

/** The files of this service, with the commands that install them. */
export function downloadsPage(downloads: Downloads): DocPage {
  const parts = PARTS.map(part => ({ ...part, file: findDownload(downloads, part.name) }))
  return {
    path: DOWNLOADS_PATH,
    title: 'Downloads',
    description: 'The SDKs and the command for partners, in the version that fits this service.',
    headings: parts.map(({ name, title }) => ({ level: 2, id: name, text: title })),
    body: html`<h1>Downloads</h1>
<p class="lead">The SDKs and the command for partners come from the service that they call, in the version that fits it. You need no key, no registry and no checkout.</p>
${parts.map(
  ({
    name,
    title,
    about,
    file,
  }) => html`<h2 id="${name}"><a class="anchor" href="#${name}" aria-label="Link to this section"></a>${title}</h2>
<p>${about}</p>
${file.install && codeBlock(file.install, 'console')}
<p class="small soft"><a href="${DOWNLOADS_PATH}/${file.filename}" download>${file.filename}</a> · ${Math.ceil(file.bytes / 1024)} KB${file.requires && html` · ${file.requires}`}<br>SHA-256 <code>${file.sha256}</code></p>`,
)}
<p>For programs: <a href="${DOWNLOADS_PATH}/index.json">index.json</a> lists the files with sizes and hashes, <a href="${DOWNLOADS_PATH}/SHA256SUMS">SHA256SUMS</a> is what <code>sha256sum --check</code> reads. The bytes of a file never change. After an update of the service its files have another version, and those of the version before are gone: keep a copy where your builds depend on it.</p>`,
  }
}
