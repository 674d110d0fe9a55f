import { isJsonObject, type JsonObject } from '@weft/api'
import { textToBase64 } from '../connection/data.ts'
import { decodeBase64 } from '../encoding/base64.ts'
import { utf8Text } from '../encoding/text.ts'
import { AuthoringError } from './authoring-error.ts'
import type { Kind, Metadata, Resource } from './kind.ts'

/** What a function is asked with. Everything is as it is now; nothing of it may be changed. */
export interface Given<C extends Resource> {
  /** As the server has it, status included. */
  readonly composite: C
  /** What the step of the Composition says. */
  readonly input: JsonObject
  /** What earlier steps said to later ones. */
  readonly context: JsonObject
  /** A resource of the composite's as it is; undefined while it does not exist. It must be of this kind. */
  observed<R extends Resource>(name: string, kind: Kind<R>): R | undefined
  /** Its connection details, as text; none while it has none. */
  connectionDetails(name: string): Readonly<Record<string, string>>
  /** What `requires` asked for under this name; undefined while it has not been looked for. */
  required<R extends Resource>(name: string, kind: Kind<R>): readonly R[] | undefined
}

declare const WANTED: unique symbol

/** A resource that the composite is to be composed of. Made by `desired`. */
export interface DesiredResource {
  readonly [WANTED]?: never
  readonly document: JsonObject
}

/** For whom a condition or a result is; for the composite alone unless told. */
export type Audience = 'Composite' | 'CompositeAndClaim'

export interface FunctionAnswer<C extends Resource, Details extends string> {
  /** By resource name, which stays the same. Those of earlier steps stay unless they are given here; null takes one away. */
  readonly resources?: Readonly<Record<string, DesiredResource | null>>
  /** What is written to the status of the composite, over what earlier steps wrote. */
  readonly status?: C extends { readonly status?: infer S } ? { readonly [K in keyof NonNullable<S>]?: NonNullable<S>[K] } : JsonObject
  readonly connectionDetails?: { readonly [name in Details]?: string }
  /** Whether the composite is ready; by its resources unless told. */
  readonly ready?: boolean
  readonly conditions?: readonly {
    readonly type: string
    readonly status: 'True' | 'False' | 'Unknown'
    readonly reason: string
    readonly message?: string
    readonly target?: Audience
  }[]
  /** A fatal one ends the pipeline: nothing is changed. */
  readonly results?: readonly {
    readonly severity: 'Fatal' | 'Warning' | 'Normal'
    readonly message: string
    readonly reason?: string
    readonly target?: Audience
  }[]
  /** For later steps, over what earlier ones said. */
  readonly context?: JsonObject
  /** What must be seen before the answer counts: the function is asked again with it. */
  readonly requires?: Readonly<Record<string, RequiredResources>>
  /** How long the answer holds; then the composite is composed anew. */
  readonly ttlSeconds?: number
}

/** Those of a kind: one by its name, some by labels, or all. */
export interface RequiredResources {
  readonly kind: Kind<Resource>
  readonly name?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly namespace?: string
}

/** Answers a RunFunctionRequest with a RunFunctionResponse, both in the JSON form of the protocol. */
export type RunFunction = (request: JsonObject) => Promise<JsonObject>

/**
 * A function of a pipeline, in TypeScript, for composites of one kind. It must be pure: what it answers depends on what it is given and on nothing
 * else, and it is asked as often as need be.
 */
export const defineFunction =
  <C extends Resource, Details extends string = string>(
    composite: Kind<C, Details>,
    compose: (given: Given<C>) => FunctionAnswer<C, NoInfer<Details>> | Promise<FunctionAnswer<C, NoInfer<Details>>>,
  ): RunFunction =>
  async (request) => {
    const answer = await compose(givenBy<C>(request, composite))
    if (!isJsonObject(answer)) throw new AuthoringError('the function answered nothing: it must return an object')
    return responseOf(request, composite, answer as FunctionAnswer<C, string>)
  }

/** Required fields are required; of its status nothing is wanted. */
export type DesiredFields<R extends Resource> = Omit<R, keyof Resource | 'status'> & {
  readonly metadata?: Partial<Pick<Metadata, 'name' | 'namespace' | 'labels' | 'annotations'>>
}

/** `ready` is what the function knows of it; later steps, such as function-auto-ready, may say it otherwise. */
export const desired = <R extends Resource>(
  kind: Kind<R>,
  fields: DesiredFields<R>,
  { ready }: { readonly ready?: boolean } = {},
): DesiredResource => ({
  document: {
    resource: { apiVersion: kind.apiVersion, kind: kind.kind, ...fields },
    ...(ready !== undefined && { ready: ready ? 'READY_TRUE' : 'READY_FALSE' }),
  } as unknown as JsonObject,
})

const object = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})
const within = (value: unknown, ...path: readonly string[]): JsonObject => path.reduce((at, key) => object(at[key]), object(value))

function givenBy<C extends Resource>(request: JsonObject, kind: Kind<C>): Given<C> {
  const composite = within(request, 'observed', 'composite', 'resource')
  mustBe(composite, kind, 'the composite')
  const resources = within(request, 'observed', 'resources')
  return {
    composite: composite as unknown as C,
    input: object(request['input']),
    context: object(request['context']),
    observed: (name, wanted) => {
      const found = object(resources[name])['resource']
      if (!isJsonObject(found)) return undefined
      mustBe(found, wanted, `resource ${name}`)
      return found as never
    },
    connectionDetails: (name) =>
      Object.fromEntries(Object.entries(within(resources[name], 'connectionDetails')).map(([key, value]) => [key, textOf(value)])),
    required: (name) => {
      const found = object(request['requiredResources'])[name]
      if (!isJsonObject(found)) return undefined
      const items = Array.isArray(found['items']) ? (found['items'] as readonly unknown[]) : []
      return items.map((item) => object(item)['resource'] as never)
    },
  }
}

function mustBe(found: JsonObject, { apiVersion, kind }: Kind<Resource>, what: string): void {
  if (found['apiVersion'] === apiVersion && found['kind'] === kind) return
  const other = `${String(found['kind'])} of ${String(found['apiVersion'])}`
  throw new AuthoringError(`${what} is a ${other}: the function is for ${kind} of ${apiVersion}`)
}

function textOf(value: unknown): string {
  const bytes = decodeBase64(String(value))
  return bytes === undefined ? '' : utf8Text(bytes)
}

function responseOf(request: JsonObject, kind: Kind<Resource>, answer: FunctionAnswer<Resource, string>): JsonObject {
  const { conditions = [], results = [], requires, ttlSeconds } = answer
  const tag = within(request, 'meta')['tag']
  const meta = { ...(tag !== undefined && { tag }), ...(ttlSeconds !== undefined && { ttl: `${ttlSeconds}s` }) }
  return {
    meta,
    desired: desiredState(object(request['desired']), kind, answer),
    context: { ...object(request['context']), ...answer.context },
    conditions: conditions.map(({ status, target, ...condition }) => ({
      ...condition,
      status: `STATUS_CONDITION_${status.toUpperCase()}`,
      ...targetOf(target),
    })),
    results: results.map(({ severity, target, ...result }) => ({
      ...result,
      severity: `SEVERITY_${severity.toUpperCase()}`,
      ...targetOf(target),
    })),
    ...(requires !== undefined && {
      requirements: { resources: Object.fromEntries(Object.entries(requires).map(([name, each]) => [name, selectorOf(each)])) },
    }),
  } as unknown as JsonObject
}

function desiredState(before: JsonObject, { apiVersion, kind }: Kind<Resource>, answer: FunctionAnswer<Resource, string>): JsonObject {
  const { resources = {}, status, connectionDetails = {}, ready } = answer
  const kept: Record<string, unknown> = { ...object(before['resources']) }
  for (const [name, wanted] of Object.entries(resources))
    if (wanted === null) delete kept[name]
    else kept[name] = wanted.document
  const composite = object(before['composite'])
  const resource = object(composite['resource'])
  const details = Object.entries(connectionDetails).flatMap(([name, value]) => (value === undefined ? [] : [[name, textToBase64(value)]]))
  return {
    composite: {
      ...composite,
      ...(status !== undefined && {
        resource: { ...resource, apiVersion, kind, status: { ...object(resource['status']), ...(status as JsonObject) } },
      }),
      ...(details.length > 0 && { connectionDetails: { ...object(composite['connectionDetails']), ...Object.fromEntries(details) } }),
      ...(ready !== undefined && { ready: ready ? 'READY_TRUE' : 'READY_FALSE' }),
    },
    resources: kept,
  } as unknown as JsonObject
}

const targetOf = (target: Audience | undefined): object =>
  target === undefined ? {} : { target: target === 'Composite' ? 'TARGET_COMPOSITE' : 'TARGET_COMPOSITE_AND_CLAIM' }

const selectorOf = ({ kind, name, labels, namespace }: RequiredResources): object => ({
  apiVersion: kind.apiVersion,
  kind: kind.kind,
  ...(name !== undefined && { matchName: name }),
  ...(labels !== undefined && { matchLabels: { labels } }),
  ...(namespace !== undefined && { namespace }),
})
