import type { ConsoleEndpoint } from '../../src/console/routes.ts'
import { createClient, type PathOf, type ResponseOf, type RowOf } from '../ui/calls.ts'

/** The console's calls; the types come from the handlers. */
export const { read, send, useData, usePages, href } = createClient<ConsoleEndpoint>()

/** What a read returns: `Read<'/keys/{id}'>`. */
export type Read<P extends PathOf<ConsoleEndpoint, 'GET'>> = ResponseOf<ConsoleEndpoint, 'GET', P>
/** A row of a list: `Row<'/keys'>`. */
export type Row<P extends PathOf<ConsoleEndpoint, 'GET'>> = RowOf<ConsoleEndpoint, P>
/** What a change returns: `Sent<'/keys'>`. */
export type Sent<P extends PathOf<ConsoleEndpoint, 'POST'>> = ResponseOf<ConsoleEndpoint, 'POST', P>
