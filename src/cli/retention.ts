import { RETENTION, RETENTION_KINDS, type RetentionKind } from '../contract/retention.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { changeRetention, nextRetentionRun, previewRetention, readRetention } from '../resources/retention/index.ts'
import { argumentAt } from './read-option.ts'
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
      'dry-run': {
        description: 'counts what the next run would delete now, with the values given as options, and sets nothing',
      },
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
        const id = argumentAt(input, 0)
        const config = input.config()
        const wanted = given(input)
        if (input.flag('dry-run')) {
          const rows = await previewRetention(db, id, config, wanted)
          const at = await nextRetentionRun(db, id)
          const proposes = Object.keys(wanted).length > 0
          const cells = rows.map(row => [row.kind, String(row.n), row.oldest ?? '-'])
          return {
            json: { workspace_id: id, dry_run: true, proposed: wanted, would_delete: rows, next_run_at: at },
            text: [
              table([['KIND', 'WOULD BE DELETED', 'OLDEST'], ...cells]),
              ...(proposes ? ['with the values given, which were not set'] : []),
              `the next run for applications and audit: ${at ?? 'as soon as a worker process has time'}; the other kinds are deleted every minute`,
            ].join('\n'),
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
  value === 0 ? 'no end' : `${value} ${value === 1 ? RETENTION[kind].unit.slice(0, -1) : RETENTION[kind].unit}`

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
