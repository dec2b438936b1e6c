interface NoteTextProps {
  body: string
  mentions: readonly { name: string }[]
}

/** The text, with the names of mentioned members marked. */
export function NoteText({ body, mentions }: NoteTextProps) {
  const names = mentions.map(({ name }) => `@${name}`).toSorted((a, b) => b.length - a.length)
  const parts: string[] = []
  let rest = body
  while (rest !== '') {
    const next = names.map(name => ({ name, at: rest.indexOf(name) })).filter(({ at }) => at >= 0)
    const first = next.toSorted((a, b) => a.at - b.at)[0]
    if (!first) break
    parts.push(rest.slice(0, first.at), first.name)
    rest = rest.slice(first.at + first.name.length)
  }
  parts.push(rest)
  return (
    <>
      {parts.map((part, i) =>
        i % 2 === 1 ? (
          <span key={i} class="mention">
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </>
  )
}
