/** The end of each part of a statement in which a semicolon ends nothing, by its beginning. */
const ENDS: Readonly<Record<string, string>> = { "'": "'", '"': '"', '--': '\n', '/*': '*/' }

const OPENING = /'|"|--|\/\*|\$\w*\$|;/g

/**
 * The statements of a script. They are sent one by one: a Citus cluster sends the text of a change of the schema to its
 * nodes, and these take one statement at a time. A quote inside a string is doubled, which reads as two strings.
 */
export function splitStatements(script: string): string[] {
  const statements: string[] = []
  let start = 0
  let hasCode = false
  let at = 0
  const finish = (end: number) => {
    if (hasCode || script.slice(at, end).trim() !== '') statements.push(script.slice(start, end).trim())
    hasCode = false
  }
  for (;;) {
    OPENING.lastIndex = at
    const found = OPENING.exec(script)
    if (!found) break
    const [opening] = found
    if (opening === ';') {
      finish(found.index)
      at = found.index + 1
      start = at
      continue
    }
    const isComment = opening === '--' || opening === '/*'
    if (!isComment || script.slice(at, found.index).trim() !== '') hasCode = true
    const closing = ENDS[opening] ?? opening
    const end = script.indexOf(closing, found.index + opening.length)
    at = end === -1 ? script.length : end + closing.length
  }
  finish(script.length)
  return statements
}
