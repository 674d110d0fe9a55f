import { stringifyJson } from '@weft/api'
import { scale } from '../../kinds/autoscaling/messages.ts'
import type { ResourceType } from '../../registry/index.ts'
import { addMessage, type Components, type ComponentSource, SCALE } from './components.ts'
import { resourcesOperation } from './document-v3.ts'
import { apiResourceList, operationMessages, watchEvent } from './meta-messages.ts'
import { type Operation, type PathItem, pathsOf } from './operations.ts'
import { type Parameter, parameterV2, sharedParameters } from './parameters.ts'
import { plainPaths } from './plain-documents.ts'
import { type Pause, pausing } from './pause.ts'

/** A part of an OpenAPI v2 document. Parts are joined, so that the whole is never in memory as objects. */
export interface PartV2 {
  readonly paths: Readonly<Record<string, object>>
  readonly definitions: Readonly<Record<string, object>>
}

/** What the document has besides paths and definitions. */
export const headV2: Readonly<Record<string, unknown>> = {
  swagger: '2.0',
  info: { title: 'Kubernetes', version: '1.36' },
  parameters: Object.fromEntries(sharedParameters.map((parameter) => [parameter.name, parameterV2(parameter)])),
  securityDefinitions: { BearerToken: { type: 'apiKey', description: 'Bearer token', name: 'authorization', in: 'header' } },
  security: [{ BearerToken: [] }],
}

/** The document of everything that is served, one resource after the other. No path or definition comes twice. */
export function* partsV2(types: readonly ResourceType[], source: ComponentSource): Iterable<PartV2> {
  const seen: Components = new Map()
  yield generalPart(types, seen)
  for (const type of types) {
    // Nothing else refers to components of custom kinds, so these are not remembered: there may be thousands.
    const added: Components = type.custom ? new Map() : new Map(seen)
    source.add(added, type, 'v2')
    const definitions = [...added].filter(([name]) => !seen.has(name))
    if (!type.custom) for (const [name, component] of definitions) seen.set(name, component)
    const paths = pathsOf(type, source.namesOf(type)).map((item) => [item.path, pathItem(item)] as const)
    yield { paths: Object.fromEntries(paths), definitions: Object.fromEntries(definitions) }
  }
}

function generalPart(types: readonly ResourceType[], seen: Components): PartV2 {
  const builtin = types.filter(({ custom }) => !custom)
  const groups = [...new Set(builtin.map(({ group }) => group))].filter((group) => group !== '')
  const plain = plainPaths(groups)
  for (const message of [...operationMessages, scale, watchEvent, apiResourceList, ...plain.map((path) => path.message)])
    addMessage(seen, message, 'v2', message === scale ? SCALE : undefined)
  const operations = [...plain, ...builtin.map(resourcesOperation)]
  return {
    paths: Object.fromEntries(operations.map(({ path, operation }) => [path, { get: operationV2(operation) }])),
    definitions: Object.fromEntries(seen),
  }
}

function pathItem({ operations, parameters }: PathItem): object {
  const item: Record<string, unknown> = {}
  for (const operation of operations) item[operation.method] = operationV2(operation)
  return { ...item, parameters: parameters.map(referred) }
}

const REASONS = { 200: 'OK', 201: 'Created', 202: 'Accepted' } as const

function operationV2({ tag, description, id, parameters, body, answer, codes, produces, kind, action }: Operation): object {
  const schema = { $ref: `#/definitions/${answer}` }
  const bodyParameter = body && {
    name: 'body',
    in: 'body',
    ...(body.required && { required: true }),
    schema: { $ref: `#/definitions/${body.component}` },
  }
  const all = [...(bodyParameter === undefined ? [] : [bodyParameter]), ...parameters.map(referred)]
  return {
    description,
    consumes: body?.consumes ?? ['*/*'],
    produces,
    schemes: ['https'],
    tags: [tag],
    operationId: id,
    ...(all.length > 0 && { parameters: all }),
    responses: {
      ...Object.fromEntries(codes.map((code) => [code, { description: REASONS[code], schema }])),
      401: { description: 'Unauthorized' },
    },
    ...(kind !== undefined && {
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': { group: kind.group, kind: kind.kind, version: kind.version },
    }),
  }
}

const shared = new Set(sharedParameters)
// kubectl before 1.27 looks for a parameter of this name in the operation itself before it dares `diff` or a dry run.
const isInlined = ({ name }: Parameter): boolean => name === 'dryRun'

const referred = (parameter: Parameter): object =>
  shared.has(parameter) && !isInlined(parameter) ? { $ref: `#/parameters/${parameter.name}` } : parameterV2(parameter)

/** The document as JSON. */
export async function jsonV2(parts: Iterable<PartV2>, pause: Pause = pausing()): Promise<Buffer> {
  const paths: Buffer[] = []
  const definitions: Buffer[] = []
  for (const part of parts) {
    append(paths, part.paths)
    append(definitions, part.definitions)
    await pause()
  }
  const { swagger, info, ...rest } = headV2
  const head = stringifyJson({ swagger, info }).slice(0, -1)
  const tail = stringifyJson(rest).slice(1)
  return Buffer.concat([
    Buffer.from(`${head},"paths":{`),
    ...paths,
    Buffer.from('},"definitions":{'),
    ...definitions,
    Buffer.from(`},${tail}`),
  ])
}

function append(chunks: Buffer[], members: Readonly<Record<string, object>>): void {
  const inner = stringifyJson(members).slice(1, -1)
  if (inner !== '') chunks.push(Buffer.from(chunks.length === 0 ? inner : `,${inner}`))
}
