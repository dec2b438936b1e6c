import { useEffect, useRef, useState } from 'preact/hooks'
import { MAX_ADDED } from '../../../src/contract/added-sources.ts'
import type { Line } from './add.ts'
import { type FileState, readResume } from './resume-file.ts'

const FIELDS = ['first_name', 'last_name', 'email', 'phone', 'linkedin_url'] as const
export type Field = (typeof FIELDS)[number]

/** A file, and the person that is read from it, who can be changed while it is read. */
export interface FileLine {
  key: number
  file: File
  state: FileState
  uploadId: string | undefined
  person: Readonly<Record<Field, string>>
  /** why the person was not added, until something is changed */
  refused: Line | undefined
}

const NO_ONE = { first_name: '', last_name: '', email: '', phone: '', linkedin_url: '' }

/** Reads files one after the other, in the order in which they were dropped. */
export function useFileLines(job: string, first: readonly File[]) {
  const [lines, setLines] = useState<readonly FileLine[]>([])
  const known = useRef(0)
  const queue = useRef<{ key: number; file: File }[]>([])
  const isRunning = useRef(false)
  const isOver = useRef(false)
  const change = (key: number, by: (line: FileLine) => Partial<FileLine>) =>
    setLines(now => now.map(line => (line.key === key ? { ...line, ...by(line) } : line)))

  const run = async () => {
    if (isRunning.current) return
    isRunning.current = true
    for (let next = queue.current.shift(); next && !isOver.current; next = queue.current.shift()) {
      const { state, uploadId, contact } = await readResume(job, next.file)
      change(next.key, ({ person }) => ({
        state,
        uploadId,
        // what was typed while it was read stays
        person: Object.fromEntries(
          FIELDS.map(field => [field, person[field] || (contact?.[field] ?? '')]),
        ) as FileLine['person'],
      }))
    }
    isRunning.current = false
  }
  const read = (file: File, key: number) => {
    queue.current.push({ key, file })
    void run()
  }
  const addFiles = (files: readonly File[], n: number): number => {
    const taken = files.slice(0, Math.max(0, MAX_ADDED - n))
    const fresh = taken.map(
      (file): FileLine => ({
        key: ++known.current,
        file,
        state: 'reading',
        uploadId: undefined,
        person: NO_ONE,
        refused: undefined,
      }),
    )
    setLines(now => [...now, ...fresh])
    for (const { file, key } of fresh) read(file, key)
    return files.length - taken.length
  }
  useEffect(() => {
    isOver.current = false
    addFiles(first, 0)
    return () => {
      isOver.current = true
    }
  }, [])
  return {
    lines,
    /** How many were too many. */
    addFiles: (files: readonly File[]) => addFiles(files, lines.length),
    edit: (key: number, field: Field, text: string) =>
      change(key, ({ person }) => ({ person: { ...person, [field]: text }, refused: undefined })),
    retry: ({ key, file }: FileLine) => {
      change(key, () => ({ state: 'reading' }))
      read(file, key)
    },
    remove: (key: number) => {
      queue.current = queue.current.filter(one => one.key !== key)
      setLines(now => now.filter(line => line.key !== key))
    },
    /** Who was added goes; the others say why they were not. */
    settle: (results: ReadonlyMap<number, Line | 'added'>) =>
      setLines(now =>
        now.flatMap(line => {
          const result = results.get(line.key)
          if (result === 'added') return []
          return result ? { ...line, refused: result } : line
        }),
      ),
  }
}
