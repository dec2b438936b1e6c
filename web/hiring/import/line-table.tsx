import { useState } from 'preact/hooks'
import { Segments } from '../../ui/form.tsx'
import { Empty } from '../../ui/notice.tsx'
import { count } from '../../ui/numbers.ts'
import { Section } from '../../ui/page.tsx'
import { DataTable } from '../../ui/table.tsx'
import { State } from '../../ui/tag.tsx'
import { t } from '../texts/index.ts'
import { type Checked, type ImportKind, linesOf } from './kind.ts'

interface LineTableProps<L extends { line: number }, R> {
  check: Checked<L>
  kind: ImportKind<L, R>
}

/** What becomes of each line, before anything is stored. */
export function LineTable<L extends { line: number }, R>({ check, kind }: LineTableProps<L, R>) {
  const [chosen, setChosen] = useState('')
  const { lines } = check
  const byFate = Map.groupBy(lines, line => kind.fateOf(line).name)
  const options = kind.fates.flatMap(({ name, title }) => {
    const n = byFate.get(name)?.length ?? 0
    return n === 0 ? [] : [[name, `${title} ${count.format(n)}`] as const]
  })
  return (
    <Section
      title={linesOf(lines.length)}
      actions={
        <Segments
          label={t.imports.which}
          value={chosen}
          options={[['', t.common.all], ...options]}
          onInput={setChosen}
        />
      }
    >
      <DataTable
        name={t.imports.which}
        columns={[
          { title: t.imports.line, align: 'end', cell: ({ line }) => count.format(line) },
          {
            title: t.imports.happens,
            cell: line => {
              const { tone, title } = kind.fateOf(line)
              return <State tone={tone}>{title}</State>
            },
          },
          kind.personColumn,
        ]}
        rows={chosen === '' ? lines : (byFate.get(chosen) ?? [])}
        rowKey={({ line }) => String(line)}
        empty={<Empty title={t.imports.noLines} />}
      />
    </Section>
  )
}
