import { CopyButton } from './copy.tsx'

/** JSON to be read: indented and coloured; what is copied is the text as it is. */
export function Json({ text, name }: { text: string; name: string }) {
  return (
    <div class="json">
      <CopyButton value={text} label={`Copy ${name}`} text="Copy" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section class="code-frame" tabIndex={0} aria-label={name}>
        <pre>
          <code>{coloured(pretty(text))}</code>
        </pre>
      </section>
    </div>
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null|-?\d[\d.eE+-]*)\b/g

function coloured(text: string) {
  const parts = []
  let last = 0
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > last) parts.push(text.slice(last, match.index))
    const [all, string, colon] = match
    if (colon !== undefined) parts.push(<span class="tok-key">{string}</span>, colon)
    else parts.push(<span class={string === undefined ? 'tok-number' : 'tok-string'}>{all}</span>)
    last = match.index + all.length
  }
  parts.push(text.slice(last))
  return parts
}
