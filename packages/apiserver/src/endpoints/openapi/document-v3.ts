import { stringifyJson } from '@weft/api'
import { deleteOptions } from '../../kinds/meta.ts'
import type { ResourceType } from '../../registry/index.ts'
import { addMessage, type Components, type ComponentSource } from './components.ts'
import { apiResourceList, operationMessages, shortName, watchEvent } from './meta-messages.ts'
import { groupWords, uncapitalized } from './names.ts'
import { META, type Operation, type PathItem, pathsOf } from './operations.ts'
import { parameterV3 } from './parameters.ts'
import { type Pause, pausing } from './pause.ts'

/** The OpenAPI v3 document of one group version. Made piece by piece, so that a large group does not stop the server. */
export async function documentV3(types: readonly ResourceType[], source: ComponentSource, pause: Pause = pausing()): Promise<Buffer> {
  const components: Components = new Map()
  const paths: [string, string][] = []
  const isBuiltin = types.some(({ custom }) => !custom)
  for (const type of types) {
    for (const item of pathsOf(type, source.namesOf(type))) paths.push([item.path, stringifyJson(pathItem(item))])
    source.add(components, type, 'v3')
    await pause()
  }
  const [first] = types
  if (isBuiltin && first !== undefined) {
    // Kinds that every group has; kube-apiserver publishes them under the group of the document.
    for (const message of [deleteOptions, watchEvent]) addMessage(components, message, 'v3', { ...first, kind: shortName(message) })
    addMessage(components, apiResourceList, 'v3')
    const { path, operation } = resourcesOperation(first)
    paths.push([path, stringifyJson({ get: operationV3(operation) })])
  }
  for (const message of operationMessages) addMessage(components, message, 'v3')
  return assembleV3(paths, components)
}

export function assembleV3(paths: readonly (readonly [string, string])[], components: Components): Buffer {
  const sorted = paths.toSorted(byName).map(([path, json]) => `${JSON.stringify(path)}:${json}`)
  const schemas = [...components].sort(byName).map(([name, component]) => `${JSON.stringify(name)}:${stringifyJson(component)}`)
  const head = `{"openapi":"3.0.0","info":{"title":"Kubernetes","version":"1.36"},"paths":{${sorted.join(',')}}`
  const security = '"securitySchemes":{"BearerToken":{"type":"apiKey","description":"Bearer token","name":"authorization","in":"header"}}'
  return Buffer.from(`${head},"components":{"schemas":{${schemas.join(',')}},${security}}}`)
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : a > b ? 1 : 0)

/** `GET` of the group version itself. */
export function resourcesOperation({ group, version, custom }: ResourceType): { path: string; operation: Operation } {
  const words = groupWords(group, custom)
  return {
    path: `${group === '' ? `/api/${version}` : `/apis/${group}/${version}`}/`,
    operation: discoveryOperation(
      `get${words}${version.slice(0, 1).toUpperCase()}${version.slice(1)}APIResources`,
      `${uncapitalized(words)}_${version}`,
      'get available resources',
      `${META}APIResourceList`,
    ),
  }
}

export const discoveryOperation = (id: string, tag: string, description: string, answer: string): Operation => ({
  method: 'get',
  action: 'get',
  id,
  tag,
  description,
  parameters: [],
  answer,
  codes: ['200'],
  produces: ['application/json', 'application/yaml'],
})

function pathItem({ operations, parameters }: PathItem): object {
  const item: Record<string, unknown> = {}
  for (const operation of operations) item[operation.method] = operationV3(operation)
  return { ...item, parameters: parameters.map(parameterV3) }
}

const REASONS = { 200: 'OK', 201: 'Created', 202: 'Accepted' } as const

export function operationV3(operation: Operation): object {
  const { tag, description, id, parameters, body, answer, codes, produces, kind, action } = operation
  const content = contentOf(produces, answer)
  return {
    tags: [tag],
    description,
    operationId: id,
    ...(parameters.length > 0 && { parameters: parameters.map(parameterV3) }),
    ...(body !== undefined && {
      requestBody: { content: contentOf(body.consumes, body.component), ...(body.required && { required: true }) },
    }),
    responses: {
      ...Object.fromEntries(codes.map((code) => [code, { description: REASONS[code], content }])),
      401: { description: 'Unauthorized' },
    },
    ...(kind !== undefined && {
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': { group: kind.group, version: kind.version, kind: kind.kind },
    }),
  }
}

const contentOf = (types: readonly string[], component: string): object =>
  Object.fromEntries(types.map((type) => [type, { schema: { $ref: `#/components/schemas/${component}` } }]))
