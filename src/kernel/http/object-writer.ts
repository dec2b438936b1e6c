import type { AnyRow } from './shape.ts'

/** Writes a value as JSON. `workspace`: what links name. */
export type WriteValue = (value: unknown, workspace?: string) => string

/** How a value becomes JSON. `quoted`: between quotation marks, as it is; `plain`: as it is. */
export type ValueWriter = 'quoted' | 'plain' | WriteValue

export interface ValueMember {
  name: string
  value: ValueWriter
  /** left out if the row has no value */
  optional: boolean
  /** null if the row has no value; otherwise that is an error */
  nullable: boolean
}

export interface LinkTarget {
  name: string
  /** a path with columns of the row in braces */
  path: string
  when: ((row: AnyRow) => boolean) | undefined
}

export interface LinksMember {
  name: string
  links: readonly LinkTarget[]
  /** the workspace that links name, if it differs from that of the call */
  linkWorkspace: ((row: AnyRow) => string) | undefined
}

export type Member = ValueMember | LinksMember | { name: string; constant: string }

export const NAMING = '?workspace_id='

/** Source text; constant texts that follow each other are joined. */
class Source {
  /** what the text uses, as `c[0]`, `c[1]`, … */
  readonly constants: unknown[] = []
  readonly #lines: string[] = []
  #text: string

  constructor(open: string) {
    this.#text = open
  }

  /** appends a constant text to the response */
  text(text: string): void {
    this.#text += text
  }

  /** appends the value of an expression */
  value(expression: string): void {
    this.#lines.push(`o += ${this.#text === '' ? '' : `${JSON.stringify(this.#text)} + `}${expression}`)
    this.#text = ''
  }

  /** a statement between two parts of the response */
  line(line: string): void {
    this.#lines.push(line)
  }

  /** appends constant texts that are pending: what follows is written on a condition */
  flush(): void {
    if (this.#text !== '') this.value('""')
  }

  constant(value: unknown): string {
    return `c[${this.constants.push(value) - 1}]`
  }

  make(): WriteValue {
    this.flush()
    const body = `'use strict'; return (r, w) => {\nlet o = '', v, n\n${this.#lines.join('\n')}\nreturn o\n}`
    return new Function('c', 'missing', body)(this.constants, missing) as WriteValue
  }
}

const missing = (name: string): never => {
  throw new Error(`row has no value for ${name}`)
}

/**
 * Compiles the function that writes the members of an object. A member costs a property access and two concatenations:
 * what is the same for every row is joined to one text when the function is made. `open` and `close` are written around
 * the members; `open` is `{` or has a member already.
 */
export function compileObject(open: string, members: readonly Member[], close: string): WriteValue {
  const source = new Source(open)
  let comma: 'none' | 'needed' | 'unknown' = open === '{' ? 'none' : 'needed'
  /** the key, with a comma where a member is before it */
  const key = (name: string): string => {
    const text = `${JSON.stringify(name)}:`
    if (comma === 'unknown') {
      source.flush()
      source.value(`(o === '{' ? '' : ',')`)
    }
    const separator = comma === 'needed' ? ',' : ''
    return separator + text
  }
  for (const member of members) {
    if ('constant' in member) {
      source.text(key(member.name) + JSON.stringify(member.constant))
      comma = 'needed'
    } else if ('links' in member) {
      source.text(key(member.name))
      writeLinks(source, member)
      comma = 'needed'
    } else if (member.optional) {
      source.line(`v = r[${JSON.stringify(member.name)}]`)
      source.flush()
      source.line('if (v !== undefined) {')
      source.text(key(member.name))
      source.value(valueExpression(source, member.value))
      source.line('}')
      if (comma === 'none') comma = 'unknown'
    } else {
      source.line(`v = r[${JSON.stringify(member.name)}]`)
      if (!member.nullable) source.line(`if (v === undefined) missing(${JSON.stringify(member.name)})`)
      source.text(key(member.name))
      source.value(valueExpression(source, member.value))
      comma = 'needed'
    }
  }
  source.text(close)
  return source.make()
}

function valueExpression(source: Source, value: ValueWriter): string {
  const written = value === 'quoted' ? `'"' + v + '"'` : value === 'plain' ? 'v' : `${source.constant(value)}(v, w)`
  return `(v === null || v === undefined ? 'null' : ${written})`
}

/** Paths are cut at their placeholders once. */
function writeLinks(source: Source, { links, linkWorkspace }: LinksMember): void {
  const workspace = linkWorkspace ? `${source.constant(linkWorkspace)}(r)` : 'w'
  source.line(`n = w === undefined || !(n = ${workspace}) ? '' : '${NAMING}' + n`)
  source.text('{')
  const always = links.every(({ when }) => when === undefined)
  if (!always) {
    source.flush()
    source.line(`v = ''`)
  }
  for (const [i, { name, path, when }] of links.entries()) {
    const [first = '', ...rest] = path.split('{')
    if (when) source.line(`if (${source.constant(when)}(r)) {`)
    if (always && i > 0) source.text(',')
    if (!always) source.value('v')
    source.text(`${JSON.stringify(name)}:"${first}`)
    for (const segment of rest) {
      const [column = '', after = ''] = segment.split('}')
      source.value(`r[${JSON.stringify(column)}]`)
      source.text(after)
    }
    if (!path.includes(NAMING)) source.value('n')
    source.text('"')
    if (!always) {
      source.flush()
      source.line(`v = ','`)
    }
    if (when) source.line('}')
  }
  source.text('}')
}
