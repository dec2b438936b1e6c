import { closed } from '../../kernel/http/closed.ts'
import { type Static, Type } from '../../kernel/schema/types.ts'
import { packageRecord } from './shape.ts'

export const packageInput = Type.Object(packageRecord.input, closed)
export type PackageInput = Static<typeof packageInput>
