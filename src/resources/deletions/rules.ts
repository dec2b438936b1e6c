/** A table with rows of workspaces. */
export interface TenantTable {
  name: string
  key: string[]
  /** tables that its foreign keys refer to */
  refers_to: string[]
}

/** The folders of the blob store that have a folder for each workspace. */
const FOLDERS = ['resumes', 'answers', 'reports', 'attachments', 'exports', 'logos'] as const

export const listFolders = (workspace: string): string[] => FOLDERS.map(folder => `${folder}/${workspace}/`)

/** Tables that refer to others come before them, so that a deletion never finds a row that still needs another. */
export function inOrder(tables: readonly TenantTable[]): TenantTable[] {
  const left = new Map(tables.map(table => [table.name, table]))
  const ordered: TenantTable[] = []
  while (left.size > 0) {
    const needed = new Set([...left.values()].flatMap(table => table.refers_to))
    const free = [...left.values()].filter(table => !needed.has(table.name))
    // tables that refer to each other in a circle: their rows go in several rounds
    for (const table of free.length > 0 ? free : [...left.values()]) {
      ordered.push(table)
      left.delete(table.name)
    }
  }
  return ordered
}
