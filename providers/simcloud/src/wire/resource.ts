import type { JsonObject } from '@weft/api'

/** The simulator's HTTP API, as both sides see it. All bodies are JSON. */
export const RESOURCE_STATES = ['CREATING', 'RUNNING', 'UPDATING', 'DELETING', 'FAILED'] as const
export type ResourceState = (typeof RESOURCE_STATES)[number]

export interface CloudResource {
  readonly cloud: string
  readonly account: string
  readonly kind: string
  readonly name: string
  /** Unique for ever: a resource made again under the same name has another one. */
  readonly id: string
  /** 1 when created, one more with every change of the parameters. Also the ETag. */
  readonly generation: number
  readonly state: ResourceState
  /** Why it is FAILED. */
  readonly failure?: string
  readonly parameters: JsonObject
  readonly outputs: Readonly<Record<string, string>>
  readonly createdAt: string
  readonly updatedAt: string
}

export type ConnectionDetails = Readonly<Record<string, string>>

export interface CreatedResource extends CloudResource {
  /** As far as it is known yet; the rest, such as endpoints, follows when the resource runs. */
  readonly connection: ConnectionDetails
}

export interface ResourcePage {
  readonly items: readonly CloudResource[]
  readonly nextPageToken?: string
}

/** Header of a create: a second create with the same token answers the resource that the first one made. */
export const CLIENT_TOKEN = 'client-token'
