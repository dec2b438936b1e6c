/**
 * Samples of a call in each language. Plain JavaScript, since both sides use it: the service writes them into the page
 * with handles of the demo, and the page writes them again with the key and the values of its reader.
 */
export const LANGUAGES = [
  { id: 'sh', title: 'curl' },
  { id: 'ts', title: 'TypeScript' },
  { id: 'python', title: 'Python' },
]

/** Without a key the samples read the variables that every guide uses. */
export function sampleCode(language, call, reader = {}) {
  if (language === 'ts') return typescript(call, reader)
  return language === 'python' ? python(call, reader) : curl(call, reader)
}

/** What cannot end a text or start another expression in any of the languages. */
const PLAIN = /^[\w.:/[\]-]+$/

/** A sample of a guide, which reads the variables, with the key and the base URL of the reader instead. */
export function fillSample(language, code, { baseUrl, apiKey } = {}) {
  if (!apiKey || !PLAIN.test(apiKey) || !PLAIN.test(baseUrl)) return code
  const values = { BASE_URL: baseUrl, API_KEY: apiKey }
  if (language === 'sh') return code.replace(/\$(BASE_URL|API_KEY)\b/g, (_, name) => values[name])
  if (language === 'ts') {
    return code.replace(/process\.env\.(BASE_URL|API_KEY)!?/g, (_, name) => TS_LITERALS.text(values[name]))
  }
  const filled = code.replace(/os\.environ\["(BASE_URL|API_KEY)"\]/g, (_, name) => PYTHON_LITERALS.text(values[name]))
  return /\bos\./.test(filled) ? filled : filled.replace(/^import os\n\n?/, '')
}

function pathOf({ path, params, query }) {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name) => (params[name] ? encodeURIComponent(params[name]) : whole))
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  // a comma separates values and need not be encoded
  return search.size > 0 ? `${filled}?${String(search).replaceAll('%2C', ',')}` : filled
}

function curl(call, { baseUrl, apiKey }) {
  const { method, isPublic, idempotencyKey, body } = call
  // in double quotes the shell puts in the variables; real values are quoted so that nothing in them has a meaning
  const quoted = text => (apiKey ? single(text) : `"${text}"`)
  const lines = [
    `curl -s${method === 'POST' ? ' -X POST' : ''} ${quoted((apiKey ? baseUrl : '$BASE_URL') + pathOf(call))}`,
  ]
  if (!isPublic) lines.push(`-H ${quoted(`Authorization: Bearer ${apiKey || '$API_KEY'}`)}`)
  if (body !== undefined) lines.push(`-H ${quoted('Content-Type: application/json')}`)
  if (idempotencyKey) lines.push(`-H ${quoted(`Idempotency-Key: ${idempotencyKey}`)}`)
  if (body !== undefined) lines.push(`-d ${single(JSON.stringify(body, null, 2))}`)
  return lines.join(' \\\n  ')
}

const single = text => `'${text.replaceAll("'", "'\\''")}'`

const resultOf = ({ isList, isFile }) => (isFile ? 'file' : isList ? 'page' : 'result')

/** How a program begins: with the client that its calls use. */
export const clientCode = (language, reader = {}, workspace = undefined) =>
  language === 'ts' ? typescriptClient(reader, workspace) : pythonClient(reader)

function typescriptClient({ baseUrl, apiKey }, workspace) {
  const options = [
    `baseUrl: ${apiKey ? literal(baseUrl, TS_LITERALS) : 'process.env.BASE_URL!'}`,
    `apiKey: ${apiKey ? literal(apiKey, TS_LITERALS) : 'process.env.API_KEY!'}`,
    ...(workspace ? [`workspaceId: ${literal(workspace, TS_LITERALS)}`] : []),
  ]
  return `import { HiringClient } from 'hiring-partner-sdk'

const client = new HiringClient({ ${options.join(', ')} })`
}

function pythonClient({ baseUrl, apiKey }) {
  const variable = (name, value) => (apiKey ? literal(value, PYTHON_LITERALS) : `os.environ["${name}"]`)
  return `from hiring_partner import HiringClient

client = HiringClient(base_url=${variable('BASE_URL', baseUrl)}, api_key=${variable('API_KEY', apiKey)})`
}

function typescript(call, reader) {
  const { params, body, idempotencyKey } = call
  const { workspace_id: workspace, ...query } = call.query
  const args = Object.values(params).map(value => literal(value, TS_LITERALS))
  if (Object.keys(query).length > 0) args.push(literal(query, TS_LITERALS))
  if (body !== undefined) args.push(literal(body, TS_LITERALS))
  if (idempotencyKey) args.push(literal({ idempotencyKey }, TS_LITERALS))
  const result = resultOf(call)
  return `${clientCode('ts', reader, workspace)}

const ${result} = await client.${call.typescript}(${args.join(', ')})
console.log(${call.isFile ? 'file.size' : call.isList ? 'page.data' : result})`
}

function python(call, reader) {
  const { params, body, idempotencyKey } = call
  const named = { ...call.query, ...body, ...(idempotencyKey ? { idempotency_key: idempotencyKey } : {}) }
  const args = [
    ...Object.values(params).map(value => literal(value, PYTHON_LITERALS)),
    ...Object.entries(named).map(([name, value]) => `${name}=${literal(value, PYTHON_LITERALS, '    ')}`),
  ]
  const result = resultOf(call)
  return `${reader.apiKey ? '' : 'import os\n\n'}${clientCode('python', reader)}

${result} = client.${call.python}(${pythonArguments(args)})${call.isList && call.method === 'GET' ? '.first_page()' : ''}
print(${call.isFile ? 'len(file)' : call.isList ? 'page.data' : result})`
}

/** On one line if they are short, else one a line. */
export function pythonArguments(args) {
  const line = args.join(', ')
  return line.length > 80 || line.includes('\n') ? `\n    ${args.join(',\n    ')},\n` : line
}

export const TS_LITERALS = {
  words: { true: 'true', false: 'false', null: 'null' },
  text: value => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`,
  key: name => (/^[a-z_]\w*$/i.test(name) ? name : TS_LITERALS.text(name)),
  spaced: true,
  indent: '  ',
}
export const PYTHON_LITERALS = {
  words: { true: 'True', false: 'False', null: 'None' },
  text: value => JSON.stringify(value),
  key: name => JSON.stringify(name),
  spaced: false,
  indent: '    ',
}

const MAX_LINE = 72

/** A JSON value as a literal of the language, on one line if it is short. */
export function literal(value, language, indent = '') {
  if (typeof value === 'string') return language.text(value)
  if (typeof value !== 'object' || value === null) return language.words[String(value)] ?? String(value)
  const inner = indent + language.indent
  const isArray = Array.isArray(value)
  const parts = isArray
    ? value.map(item => literal(item, language, inner))
    : Object.entries(value).map(([name, item]) => `${language.key(name)}: ${literal(item, language, inner)}`)
  const [open, close] = isArray ? '[]' : '{}'
  if (parts.length === 0) return open + close
  const gap = language.spaced && !isArray ? ' ' : ''
  const line = open + gap + parts.join(', ') + gap + close
  if (line.length <= MAX_LINE && !line.includes('\n')) return line
  return `${open}\n${inner}${parts.join(`,\n${inner}`)},\n${indent}${close}`
}
