import { withRules } from '../kernel/http/body.ts'
import type { Static, TSchema } from '../kernel/schema/types.ts'
import { lineFault, type NameKind, nameFault } from '../kernel/text/names.ts'

/** Fields of a body that hold names, which other people read. */
export const named = <S extends TSchema>(body: S, names: Readonly<Record<string, NameKind>>): S =>
  withRules(body, value =>
    Object.entries(names).flatMap(([param, kind]) => {
      const text = (value as Record<string, unknown> | null)?.[param]
      const message = typeof text === 'string' ? nameFault(text, kind) : undefined
      return message === undefined ? [] : [{ param, message }]
    }),
  )

/** Texts of a body that are shown inside sentences: each by the name that its fault has. */
export const oneLine = <S extends TSchema>(body: S, texts: (body: Static<S>) => Readonly<Record<string, unknown>>): S =>
  withRules(body, value =>
    Object.entries(texts(value as Static<S>)).flatMap(([param, text]) => {
      const message = typeof text === 'string' ? lineFault(text) : undefined
      return message === undefined ? [] : [{ param, message }]
    }),
  )
