import type { JsonObject } from '@weft/api'
import type { CloudResource, ConnectionDetails, ResourceState } from '../../wire/resource.ts'

/**
 * A resource as the state file holds it. An operation that takes time is recorded with the moment it ends, so no timer has to
 * survive a crash: what a resource looks like is a function of the record and the clock.
 */
export interface StoredResource {
  readonly cloud: string
  readonly account: string
  readonly kind: string
  readonly name: string
  readonly id: string
  readonly generation: number
  readonly state: ResourceState
  /** When the running operation ends, in milliseconds; null = not before the fault that stalls it is removed. */
  readonly settlesAt?: number | null
  /** The operation will end in FAILED, and this is why. */
  readonly willFail?: string
  readonly failure?: string
  /** It has run at least once, so its endpoints are known. */
  readonly hasRun: boolean
  readonly parameters: JsonObject
  readonly outputs: Readonly<Record<string, string>>
  readonly connection: ConnectionDetails
  readonly clientToken?: string
  /** Keys of the resources that the parameters name. */
  readonly parents: readonly string[]
  readonly createdAt: number
  readonly updatedAt: number
}

export type ResourceKey = Pick<StoredResource, 'cloud' | 'account' | 'kind' | 'name'>

export const keyOf = ({ cloud, account, kind, name }: ResourceKey): string => `${cloud}/${account}/${kind}/${name}`

/** The resource at `now`; undefined once its deletion is over. */
export function settled(resource: StoredResource, now: number): StoredResource | undefined {
  const { settlesAt, willFail, ...rest } = resource
  if (settlesAt === undefined || settlesAt === null || settlesAt > now) return resource
  switch (resource.state) {
    case 'DELETING':
      return undefined
    case 'CREATING':
    case 'UPDATING':
      return willFail === undefined ? { ...rest, state: 'RUNNING', hasRun: true } : { ...rest, state: 'FAILED', failure: willFail }
    case 'RUNNING':
    case 'FAILED':
      return rest
  }
}

/** What everybody may see: no connection details, no bookkeeping. */
export function toWire(resource: StoredResource): CloudResource {
  const { cloud, account, kind, name, id, generation, state, failure, parameters, outputs, createdAt, updatedAt } = resource
  return {
    cloud,
    account,
    kind,
    name,
    id,
    generation,
    state,
    ...(failure !== undefined && { failure }),
    parameters,
    outputs,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}
