import type { JsonObject } from '@weft/api'
import {
  type CallContext,
  type ConnectionDetails,
  type ExternalClient,
  type ManagedResource,
  parametersOf,
  type Readiness,
} from '@weft/provider-sdk'
import type { SimulatedKind } from '../catalogue/simulated-kind.ts'
import type { SimCloudClient } from '../client/client.ts'
import { NotFoundError } from '../client/errors.ts'
import type { CloudResource, ResourceState } from '../wire/resource.ts'
import { externalErrorOf } from './external-error.ts'
import { chosenByCloud, differences, withoutReferences, withRegion } from './parameters.ts'

export interface CloudClientOptions {
  readonly cloud: SimCloudClient
  /** How the cloud treats the kind: everything that is particular about it. */
  readonly kind: SimulatedKind
  /** The Provider's, for resources that name none. */
  readonly region?: string | undefined
}

const READINESS: Readonly<Record<ResourceState, Readiness>> = {
  CREATING: 'creating',
  RUNNING: 'available',
  UPDATING: 'available',
  DELETING: 'deleting',
  FAILED: 'unavailable',
}

/** The external client of every kind on a simulated cloud: what differs between kinds is data. */
export function cloudClient({ cloud, kind, region }: CloudClientOptions): ExternalClient {
  const wanted = (resource: ManagedResource): JsonObject => withRegion(withoutReferences(parametersOf(resource)), kind.fields, region)
  const connectionOf = async (
    { state }: CloudResource,
    { connection, externalName, signal }: CallContext,
  ): Promise<ConnectionDetails | undefined> => {
    if (!connection.configured || kind.connection.length === 0 || state === 'DELETING') return undefined
    return find(() => cloud.connection(kind.kind, externalName, { signal }))
  }
  return {
    async observe(resource, context) {
      const found = await find(() => cloud.get(kind.kind, context.externalName, { signal: context.signal }))
      if (found === undefined) return { exists: false }
      const { state, failure, parameters, outputs, id } = found
      // Nothing can be changed while the cloud is at work; what differs then is looked at afterwards.
      const different = state === 'RUNNING' ? differences(wanted(resource), parameters) : []
      const connection = await connectionOf(found, context)
      return {
        exists: true,
        upToDate: different.length === 0 && state !== 'FAILED',
        difference: state === 'FAILED' ? 'failed' : different.join(', '),
        readiness: READINESS[state],
        ...(failure !== undefined && { message: failure }),
        atProvider: { state, id, ...outputs },
        lateInit: chosenByCloud(kind.fields, parameters),
        ...(connection !== undefined && { connection }),
      }
    },
    async create(resource, { externalName, signal }) {
      // The token makes a create that is repeated after a lost answer the same create.
      const clientToken = resource.metadata.uid ?? ''
      const { connection } = await translated(() => cloud.create(kind.kind, externalName, wanted(resource), { clientToken, signal }))
      return { connection }
    },
    async update(resource, { externalName, signal }) {
      await translated(() => cloud.update(kind.kind, externalName, wanted(resource), { signal }))
      return {}
    },
    async delete(_resource, { externalName, signal }) {
      await find(() => cloud.delete(kind.kind, externalName, { signal }))
    },
  }
}

async function translated<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw externalErrorOf(error)
  }
}

/** Undefined when there is no such resource. */
async function find<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw externalErrorOf(error)
  }
}
