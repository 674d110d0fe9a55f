import { isJsonObject, type KubeObject } from '@weft/api'
import type { Client } from '@weft/client'
import type { ObjectReference, PackageContents, Plan, PlanRequest, Rendered, RenderRequest } from '../../contract.ts'
import { Refusal } from '../answer.ts'

/** What the console cannot do itself and is given: it talks HTTP only. */
export interface Engines {
  /** Reads with this client, as the signed-in user; writes nothing. Absent: 501. */
  readonly plan?: ((client: Client, request: PlanRequest, signal: AbortSignal) => Promise<Plan>) | undefined
  /** Reads nothing but what it is given. Absent: 501. */
  readonly render?: ((request: RenderRequest) => Promise<Rendered>) | undefined
  /** Reads a package from where it says, within the bounds that the control plane has for packages; installs nothing. Absent: 501. */
  readonly readPackage?: ((source: string, signal: AbortSignal) => Promise<PackageContents>) | undefined
  /** The end of what the process of a Provider or Function printed; undefined where there is nothing. Absent: 501. */
  readonly readLog?: ((kind: string, name: string) => Promise<string | undefined>) | undefined
}

const MAX_OBJECTS = 1000

export function readPlanRequest(body: Readonly<Record<string, unknown>>): PlanRequest {
  const { objects, delete: deleted } = body
  if (objects !== undefined && deleted === undefined) return { objects: readObjects(objects, 'objects') }
  if (objects === undefined && isReference(deleted)) return { delete: deleted }
  throw new Refusal(400, 'BadRequest', 'a plan is of "objects" to apply, or of one object to "delete" (apiVersion, kind, name)')
}

export function readRenderRequest(body: Readonly<Record<string, unknown>>): RenderRequest {
  const { intent, context, observed } = body
  if (!isObject(intent)) throw new Refusal(400, 'BadRequest', '"intent" must be an object with apiVersion, kind and metadata')
  return {
    intent,
    context: readObjects(context ?? [], 'context'),
    ...(observed !== undefined && { observed: readObjects(observed, 'observed') }),
  }
}

export const unsupported = (what: string): Refusal => new Refusal(501, 'NotImplemented', `this console cannot ${what}`)

function readObjects(value: unknown, field: string): readonly KubeObject[] {
  if (!Array.isArray(value) || value.length > MAX_OBJECTS || !value.every(isObject))
    throw new Refusal(400, 'BadRequest', `"${field}" must be a list of at most ${MAX_OBJECTS} objects with apiVersion, kind and metadata`)
  return value
}

const isObject = (value: unknown): value is KubeObject =>
  isJsonObject(value) && typeof value['apiVersion'] === 'string' && typeof value['kind'] === 'string' && isJsonObject(value['metadata'])

function isReference(value: unknown): value is ObjectReference {
  if (!isJsonObject(value)) return false
  const { apiVersion, kind, name, namespace } = value
  return (
    [apiVersion, kind, name].every((part) => typeof part === 'string' && part !== '') && ['string', 'undefined'].includes(typeof namespace)
  )
}
