import { withRules } from '../../kernel/http/body.ts'
import { closed } from '../../kernel/http/closed.ts'
import type { Written } from '../../kernel/record/record.ts'
import { type Static, type TObject, Type } from '../../kernel/schema/types.ts'
import { listRecord, type projectRecord } from './shape.ts'

export type ProjectFields = Written<typeof projectRecord>
export type NewProjectInput = Static<TObject<typeof projectRecord.input>>

export type ListFields = Written<typeof listRecord>

const { project_id, ...described } = listRecord.input

/** POST /lists */
export const newListInput = withRules(Type.Object({ ...described, project_id }, closed), listRecord.faults)
export type NewListInput = Static<typeof newListInput>

/** A list edited in the product; it stays in its project. */
export type ListEditInput = Partial<Omit<NewListInput, 'project_id'>>
