import type { ComponentChildren } from 'preact'
import { Segments } from './form.tsx'
import { Empty } from './notice.tsx'
import { PageHead } from './page.tsx'
import { DataTable, type Rows, type TableProps } from './table.tsx'

interface ListPageProps<T> extends Pick<TableProps<T>, 'columns' | 'rowKey' | 'onRow'> {
  title: string
  description: string
  actions?: ComponentChildren
  /** between the head and the rows: what the list is narrowed by, and notices */
  children?: ComponentChildren
  /** what the rows are, where it is not the title */
  name?: string
  list: Rows<T>
  /** a title and a sentence where there are no rows */
  empty: readonly [title: string, sentence?: ComponentChildren] | null
}

/** A page that is a list. */
export function ListPage<T>(props: ListPageProps<T>) {
  const { title, description, actions, children, name = title, list, empty, ...table } = props
  return (
    <>
      <PageHead title={title} description={description} actions={actions} />
      {children}
      <DataTable {...table} {...list} name={name} empty={empty && <Empty title={empty[0]}>{empty[1]}</Empty>} />
    </>
  )
}

/** Whether a list also has what is over. */
export const ActiveOrAll = (props: { label: string; value: string; onInput: (value: string) => void }) => (
  <div class="toolbar">
    <Segments
      {...props}
      options={[
        ['', 'Active'],
        ['all', 'All'],
      ]}
    />
  </div>
)
