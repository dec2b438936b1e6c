import type { InputFault } from '../../kernel/http/faults.ts'

/** A fault for each entry of a list whose value an earlier entry has. */
export const repeated = <K extends string>(
  entries: readonly Readonly<Record<K, string>>[],
  name: K,
  list: string,
): InputFault[] =>
  entries.flatMap((entry, i) =>
    entries.slice(0, i).some(earlier => earlier[name] === entry[name])
      ? [{ param: `${list}[${i}].${name}`, message: 'occurs twice' }]
      : [],
  )
