import { readMigrations } from '../src/kernel/db/migrate.ts'

/**
 * Refuses migrations that would hold a lock on a large table for long, or that take away what processes of the last release
 * still use: during an upgrade both run side by side. docs/upgrading.md says how to write them instead. Migrations up to
 * this one had landed before the check.
 */
const LANDED = 29

/** At most some ten thousand rows, or one for each workspace, in the largest installation: a scan or a rewrite takes a second at most. */
const SMALL_TABLES: ReadonlySet<string> = new Set([
  'alert_preferences',
  'alert_webhooks',
  'api_keys',
  'career_sites',
  'career_slugs',
  'company_sign_in',
  'connected_apps',
  'hiring_settings',
  'installation',
  'job_team',
  'oidc_records',
  'oidc_signing_keys',
  'schema_migrations',
  'secret_key_holders',
  'secret_keys',
  'sessions',
  'sign_in_tickets',
  'users',
  'webhook_endpoints',
  'workspace_retention',
  'workspace_settings',
  'workspace_suppressions',
  'workspaces',
])

/** Functions that have one value in a statement: PostgreSQL stores such a default once instead of in every row. */
const STABLE = new Set(['now', 'app_now', 'current_timestamp', 'transaction_timestamp', 'statement_timestamp'])

export const HEADERS = { outside: '-- outside a transaction', batches: '-- in batches' } as const

interface Statement {
  /** in small letters, without comments, strings and bodies of functions */
  text: string
  /** the reason of a comment `-- allowed: …` or `-- contract: …` before it */
  allowed: boolean
  contract: boolean
}

/** The statements of a script. Strings and dollar-quoted bodies become '' so that nothing in them is taken for SQL. */
function statementsOf(script: string): Statement[] {
  let text = ''
  let comments = ''
  const found: Statement[] = []
  const finish = () => {
    const clean = text.replaceAll(/\s+/g, ' ').trim().toLowerCase()
    if (clean !== '') {
      const has = (word: string) => new RegExp(`^-- ${word}: \\S.{14,}`, 'm').test(comments)
      found.push({ text: clean, allowed: has('allowed'), contract: has('contract') })
      comments = ''
    }
    text = ''
  }
  for (let i = 0; i < script.length; ) {
    const rest = script.slice(i)
    const comment = /^--[^\n]*\n?/.exec(rest)?.[0] ?? /^\/\*[\s\S]*?\*\//.exec(rest)?.[0]
    const quoted = /^'(?:[^']|'')*'/.exec(rest)?.[0] ?? /^(\$\w*\$)[\s\S]*?\1/.exec(rest)?.[0]
    if (comment) comments += comment
    else if (quoted) text += "''"
    else if (script[i] === ';') finish()
    else text += script[i]
    i += (comment ?? quoted ?? ' ').length
  }
  finish()
  return found
}

/** `a, b (c, d)` at its commas outside brackets. */
function parts(text: string): string[] {
  let depth = 0
  const found = ['']
  for (const character of text) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (character === ',' && depth === 0) found.push('')
    else found[found.length - 1] += character
  }
  return found.map(part => part.trim())
}

const tableName = (name: string): string => name.replace(/^public\./, '').replaceAll('"', '')

/** What is wrong with a migration, a line each; nothing if it may be applied to a store that is in use. */
export function migrationFaults(script: string): string[] {
  const faults: string[] = []
  const statements = statementsOf(script)
  const isOutside = script.startsWith(HEADERS.outside)
  const inBatches = script.startsWith(HEADERS.batches)
  const created = new Set(
    statements.flatMap(({ text }) => {
      const made = /^create (?:unlogged )?table (?:if not exists )?([\w."]+)/.exec(text)
      return made ? [tableName(made[1]!)] : []
    }),
  )
  const isLarge = (name: string) => !created.has(tableName(name)) && !SMALL_TABLES.has(tableName(name))
  let isValidated = false

  for (const { text, allowed, contract } of statements) {
    const refuse = (why: string) => void (allowed || faults.push(`${why}: ${text.slice(0, 100)}`))
    const takesAway = (why: string) => void (contract || faults.push(`${why}: ${text.slice(0, 100)}`))

    const index = /^create (?:unique )?index (concurrently )?(?:if not exists )?[\w."]+ on (?:only )?([\w."]+)/.exec(
      text,
    )
    if (index?.[1] && !isOutside)
      refuse(`an index is built concurrently only in a file that begins with "${HEADERS.outside}"`)
    if (index && !index[1] && isLarge(index[2]!))
      refuse('an index of a large table blocks its writes: build it concurrently')
    if (/^reindex (?!.*concurrently)/.test(text)) refuse('blocks writes: reindex concurrently')
    if (/^(lock table|truncate|cluster|vacuum full)\b/.test(text)) refuse('locks a table')

    const changed =
      /^(?:update|delete from) (?:only )?([\w."]+)/.exec(text) ??
      /^with [\s\S]*?\b(?:update|delete from) ([\w."]+)/.exec(text)
    if (changed && isLarge(changed[1]!) && !inBatches) {
      refuse(`changes many rows in one transaction: use a file that begins with "${HEADERS.batches}"`)
    }

    if (/^drop table\b/.test(text)) takesAway('the last release may still use the table')
    if (/^(drop view|alter (table|view) .* rename\b)/.test(text)) takesAway('the last release uses the old name')

    const alter = /^alter table (?:if exists )?(?:only )?([\w."]+) (.*)$/.exec(text)
    if (!alter) continue
    for (const action of parts(alter[2]!)) {
      if (/^drop (column )?(?!constraint|not null|default)\w/.test(action))
        takesAway('the last release may still use the column')
      const added = /^add (?:column )?(?!constraint\b|primary\b|unique\b|check\b|foreign\b|exclude\b)/.test(action)
      // an old process inserts without it, whatever the size of the table
      if (added && /\bnot null\b/.test(action) && !/\bdefault\b|\bgenerated\b/.test(action)) {
        refuse('old processes insert rows without the column: give it a default')
      }
      if (/^validate constraint\b/.test(action)) isValidated = true
      if (!isLarge(alter[1]!)) continue
      if (added) {
        const calls = [...(/\bdefault\b(.*)$/.exec(action)?.[1] ?? '').matchAll(/\b(\w+)\s*\(/g)].map(
          ([, name]) => name!,
        )
        const isChecked = /\bcheck\s*\(/.test(action)
        const volatile = isChecked ? calls.slice(0, calls.indexOf('check')) : calls
        if (volatile.some(name => !STABLE.has(name)) || /\b(big|small)?serial\b|\bgenerated\b/.test(action)) {
          refuse('writes every row: add the column without this default and fill it in batches')
        }
        if (isChecked) refuse('checks every row: add the constraint "not valid" and validate it in a later migration')
        if (/\breferences\b/.test(action) && /\bdefault\b/.test(action)) {
          refuse('compares every row with another table: add the foreign key "not valid"')
        }
        if (/\b(unique|primary key)\b/.test(action)) refuse('builds an index: build it concurrently')
      }
      if (/^add (constraint [\w"]+ )?(check|foreign key)\b/.test(action) && !/\bnot valid$/.test(action)) {
        refuse(
          'checks every row while the table is locked: add the constraint "not valid" and validate it in a later migration',
        )
      }
      if (/^add (constraint [\w"]+ )?(unique|primary key|exclude)\b/.test(action) && !/\busing index\b/.test(action)) {
        refuse(
          'builds an index while the table is locked: build it concurrently, then add the constraint using the index',
        )
      }
      if (/^alter (column )?[\w"]+ (set data )?type\b/.test(action)) refuse('writes every row: add another column')
      if (/^alter (column )?[\w"]+ set not null\b/.test(action) && !isValidated) {
        refuse('checks every row while the table is locked: validate a check "is not null" first')
      }
      if (/^set (tablespace|logged|unlogged|access method)\b/.test(action)) refuse('writes every row')
    }
  }
  return faults
}

/** Finds the faults of the migrations of this repository. */
export const faultsOfMigrations = (): string[] =>
  readMigrations()
    .filter(({ version }) => version > LANDED)
    .flatMap(({ version, name, text }) => migrationFaults(text).map(fault => `${version} ${name}: ${fault}`))
