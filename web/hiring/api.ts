import type { Operations } from '../../packages/sdk/src/generated.ts'
import type { HiringEndpoint } from '../../src/hiring/routes.ts'
import type { Endpoint, Wire } from '../../src/programs/endpoint.ts'
import type { NamesIn } from '../../src/programs/policy.ts'
import { type BodyOf, createClient, type LineOf, type PathOf, type ResponseOf, type RowOf } from '../ui/calls.ts'

type AsEndpoint<O extends Operations[keyof Operations]> = Endpoint<
  O['method'],
  `/v1${O['path']}`,
  Wire<NamesIn<O['path']>, O['query'], O['body'], O['response']>
>

/** The pages' own endpoints, and those of the API for the person who is signed in. */
type Any = HiringEndpoint | { [O in keyof Operations]: AsEndpoint<Operations[O]> }[keyof Operations]

export const { read, readAndStay, send, sendFile, useData, useQuery, usePages, href } = createClient<Any>()

/** What a read returns: `Read<'/credits'>`. */
export type Read<P extends PathOf<Any, 'GET'>> = ResponseOf<Any, 'GET', P>
/** A row of a list: `Row<'/jobs'>`. */
export type Row<P extends PathOf<Any, 'GET'>> = RowOf<Any, P>
/** What a change takes: `Body<'/applications/changes'>`. */
export type Body<P extends PathOf<Any, 'POST'>> = BodyOf<Any, P>
/** What a change returns: `Sent<'/applications/changes'>`. */
export type Sent<P extends PathOf<Any, 'POST'>> = ResponseOf<Any, 'POST', P>
/** A line of the response to a file: `Line<'/sourcing/import'>`. */
export type Line<P extends PathOf<Any, 'POST'>> = LineOf<Sent<P>>
