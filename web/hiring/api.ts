import type { Operations } from '../../packages/sdk/src/generated.ts'
import type { HiringEndpoint } from '../../src/hiring/routes.ts'
import type { Endpoint, Wire } from '../../src/programs/endpoint.ts'
import type { NamesIn } from '../../src/programs/policy.ts'
import { clientOf, type PathOf, type ResponseOf } from '../ui/calls.ts'

type AsEndpoint<O extends Operations[keyof Operations]> = Endpoint<
  O['method'],
  `/v1${O['path']}`,
  Wire<NamesIn<O['path']>, O['query'], O['body'], O['response']>
>

/** The pages' own endpoints, and those of the API for the person who is signed in. */
type Any = HiringEndpoint | { [O in keyof Operations]: AsEndpoint<Operations[O]> }[keyof Operations]

export const { read, send, useData, usePages, href } = clientOf<Any>()

export type Read<P extends PathOf<Any, 'GET'>> = ResponseOf<Any, 'GET', P>
