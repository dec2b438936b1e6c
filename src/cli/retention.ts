import { RETENTION, RETENTION_KINDS, type RetentionKind } from '../contract/retention.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { changeRetention, previewRetention, readRetention } from '../resources/retention/index.ts'
import { table, type Verb, type VerbInput } from './verb.ts'
import { withStore } from './with-store.ts'

/** `request_log` is `--request-log`. */
const optionOf = (kind: RetentionKind): string => kind.replaceAll('_', '-')

export const retentionVerbs: readonly Verb[] = [
  {
    name: 'retention',
    description: 'Shows how long a workspace retains its data, changes it, or counts what the next run deletes.',
    args: ['ID'],
    options: {
      'dry-run': { description: 'counts what the next run would delete now' },
      ...Object.fromEntries(
        RETENTION_KINDS.map(kind => {
          const { unit, endless, description } = RETENTION[kind]
          const value = `${unit.toUpperCase()}|${endless ? 'keep|' : ''}default`
          return [optionOf(kind), { value, description: `how long it retains ${description}` }]
        }),
      ),
    },
    run: input =>
      withStore(input, async ({ db }) => {
        const id = input.args[0]!
        const config = input.config()
        const wanted = given(input)
        if (input.flag('dry-run')) {
          if (Object.keys(wanted).length > 0) throw new UserError('--dry-run changes nothing: give it alone')
          const rows = await previewRetention(db, id, config)
          const cells = rows.map(row => [row.kind, String(row.n), row.oldest ?? '-'])
          return {
            json: { workspace_id: id, dry_run: true, would_delete: rows },
            text: table([['KIND', 'WOULD BE DELETED', 'OLDEST'], ...cells]),
          }
        }
        const rows =
          Object.keys(wanted).length === 0
            ? await readRetention(db, id, config)
            : await changeRetention(db, id, wanted, { config, userId: null })
        const cells = rows.map(({ kind, own, fallback, value }) => [
          kind,
          own === null ? '-' : inWords(kind, own),
          inWords(kind, fallback),
          inWords(kind, value),
        ])
        return {
          json: { workspace_id: id, retention: rows },
          text: table([['KIND', 'OWN', 'INSTALLATION', 'IN FORCE'], ...cells]),
        }
      }),
  },
]

const inWords = (kind: RetentionKind, value: number): string =>
  value === 0 ? 'no end' : `${value} ${RETENTION[kind].unit}`

function given(input: VerbInput): Partial<Record<RetentionKind, number | null>> {
  const wanted: Partial<Record<RetentionKind, number | null>> = {}
  for (const kind of RETENTION_KINDS) {
    const text = input.option(optionOf(kind))
    if (text === undefined) continue
    if (text === 'default') wanted[kind] = null
    else if (text === 'keep') wanted[kind] = 0
    else if (/^\d{1,5}$/.test(text)) wanted[kind] = Number(text)
    else throw new UserError(`--${optionOf(kind)} must be a whole number, keep or default`)
  }
  return wanted
}
