import type { GroupVersionKind } from '@weft/api'
import type { ResourceType, SubresourceType, Verb } from '../../registry/index.ts'
import { capitalized, groupWords, uncapitalized } from './names.ts'
import {
  deleteCollectionParameters,
  deleteParameters,
  listParameters,
  nameParameter,
  namespaceParameter,
  type Parameter,
  patchParameters,
  pretty,
  readParameters,
  writeParameters,
} from './parameters.ts'

/** One request one can make, free of the form of either OpenAPI version. */
export interface Operation {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch'
  readonly action: string
  readonly id: string
  readonly tag: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly body?: OperationBody
  /** Component of the answer. */
  readonly answer: string
  readonly codes: readonly ('200' | '201' | '202')[]
  readonly produces: readonly string[]
  /** What clients look operations up by. Absent where no kind is concerned. */
  readonly kind?: GroupVersionKind
}

export interface OperationBody {
  readonly component: string
  readonly required: boolean
  readonly consumes: readonly string[]
}

export interface PathItem {
  readonly path: string
  readonly operations: readonly Operation[]
  /** Shared by all operations of the path. */
  readonly parameters: readonly Parameter[]
}

/** Names of the components that the operations of a kind refer to. */
export interface KindComponents {
  readonly object: string
  readonly list: string
  part(subresource: string): string
}

export const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.'

const JSON_YAML = ['application/json', 'application/yaml']
const LIST_TYPES = ['application/json', 'application/json;stream=watch', 'application/yaml']
const PATCH_TYPES = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json']
const STRATEGIC = 'application/strategic-merge-patch+json'

/** Every path under which a resource is served. */
export function pathsOf(type: ResourceType, components: KindComponents): PathItem[] {
  const writer = new PathWriter(type, components)
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`
  const collection = `${root}${type.namespaced ? '/namespaces/{namespace}' : ''}/${type.plural}`
  const scope = type.namespaced ? [namespaceParameter] : []
  const named = [nameParameter(type.kind), ...scope]
  const items = [
    writer.item(collection, ['list', 'create', 'deletecollection'], scope),
    writer.item(`${collection}/{name}`, ['get', 'update', 'delete', 'patch'], named),
    ...type.subresources.map((part) => writer.item(`${collection}/{name}/${part.name}`, ['get', 'update', 'patch', 'create'], named, part)),
    ...(type.namespaced && type.verbs.includes('list') ? [writer.everywhere(`${root}/${type.plural}`)] : []),
    ...(type.custom || !type.verbs.includes('watch') ? [] : writer.watches(root)),
  ]
  return items.filter(({ operations }) => operations.length > 0)
}

class PathWriter {
  readonly #type: ResourceType
  readonly #components: KindComponents
  readonly #words: string
  readonly #tag: string

  constructor(type: ResourceType, components: KindComponents) {
    this.#type = type
    this.#components = components
    const group = groupWords(type.group, type.custom)
    this.#words = group + capitalized(type.version)
    this.#tag = `${uncapitalized(group)}_${type.version}`
  }

  item(path: string, verbs: readonly Verb[], scope: readonly Parameter[], part?: SubresourceType): PathItem {
    const served = part?.verbs ?? this.#type.verbs
    const operations = verbs.filter((verb) => served.includes(verb)).map((verb) => this.#operation(verb, part))
    return hoist({ path, operations, parameters: [...scope, pretty] })
  }

  everywhere(path: string): PathItem {
    const list = this.#operation('list')
    return hoist({ path, operations: [{ ...list, id: `list${this.#words}${this.#type.kind}ForAllNamespaces` }], parameters: [pretty] })
  }

  /** The older form of watches, by path. */
  watches(root: string): PathItem[] {
    const { plural, kind, namespaced } = this.#type
    const scope = namespaced ? [namespaceParameter] : []
    const collection = `${root}/watch${namespaced ? '/namespaces/{namespace}' : ''}/${plural}`
    const scoped = namespaced ? 'Namespaced' : ''
    const item = (path: string, name: string, parameters: readonly Parameter[]): PathItem => ({
      path,
      operations: [this.#watch(name, parameters.some((parameter) => parameter.name === 'name') ? 'watch' : 'watchlist')],
      parameters: [...listParameters, ...parameters, pretty],
    })
    return [
      item(collection, `${scoped}${kind}List`, scope),
      item(`${collection}/{name}`, `${scoped}${kind}`, [nameParameter(kind), ...scope]),
      ...(namespaced ? [item(`${root}/watch/${plural}`, `${kind}ListForAllNamespaces`, [])] : []),
    ]
  }

  #watch(name: string, action: string): Operation {
    const { group, version, kind } = this.#type
    return {
      method: 'get',
      action,
      id: `watch${this.#words}${name}`,
      tag: this.#tag,
      description: `watch changes of ${kind} objects; the same as a list with watch=true`,
      parameters: [],
      answer: `${META}WatchEvent`,
      codes: ['200'],
      produces: LIST_TYPES,
      kind: { group, version, kind },
    }
  }

  #operation(verb: Verb, part?: SubresourceType): Operation {
    const { group, version, kind, namespaced, custom } = this.#type
    const object = part === undefined ? this.#components.object : this.#components.part(part.name)
    const name = `${namespaced ? 'Namespaced' : ''}${kind}${part === undefined ? '' : capitalized(part.name)}`
    const subject = part === undefined ? `the specified ${kind}` : `${part.name} of the specified ${kind}`
    const consumes = custom ? JSON_YAML : ['*/*']
    const base = {
      tag: this.#tag,
      parameters: [] as readonly Parameter[],
      produces: JSON_YAML,
      answer: object,
      codes: ['200'] as const,
      // kube-apiserver names the kind itself on subresources of custom resources, whatever their bodies are.
      kind: part?.kind !== undefined && !custom ? part.kind : { group, version, kind },
    }
    const body = (component: string, required = true): OperationBody => ({ component, required, consumes })
    switch (verb) {
      case 'get':
        return {
          ...base,
          method: 'get',
          action: 'get',
          id: `read${this.#words}${name}`,
          description: `read ${subject}`,
          parameters: custom ? readParameters : [],
        }
      case 'list':
      case 'watch':
        return {
          ...base,
          method: 'get',
          action: 'list',
          id: `list${this.#words}${name}`,
          description: `list or watch objects of kind ${kind}`,
          parameters: listParameters,
          answer: this.#components.list,
          produces: LIST_TYPES,
        }
      case 'create':
        return {
          ...base,
          method: 'post',
          action: 'post',
          id: `create${this.#words}${name}`,
          description: part === undefined ? `create a ${kind}` : `create ${part.name} of a ${kind}`,
          parameters: writeParameters,
          body: body(object),
          codes: ['200', '201', '202'],
        }
      case 'update':
        return {
          ...base,
          method: 'put',
          action: 'put',
          id: `replace${this.#words}${name}`,
          description: `replace ${subject}`,
          parameters: writeParameters,
          body: body(object),
          codes: ['200', '201'],
        }
      case 'patch':
        return {
          ...base,
          method: 'patch',
          action: 'patch',
          id: `patch${this.#words}${name}`,
          description: `partially update ${subject}`,
          parameters: patchParameters,
          body: { component: `${META}Patch`, required: true, consumes: custom ? PATCH_TYPES : [...PATCH_TYPES, STRATEGIC] },
          codes: ['200', '201'],
        }
      case 'delete':
        return {
          ...base,
          method: 'delete',
          action: 'delete',
          id: `delete${this.#words}${name}`,
          description: `delete a ${kind}`,
          parameters: deleteParameters,
          body: body(`${META}DeleteOptions`, false),
          answer: `${META}Status`,
          codes: ['200', '202'],
        }
      case 'deletecollection':
        return {
          ...base,
          method: 'delete',
          action: 'deletecollection',
          id: `delete${this.#words}Collection${name}`,
          description: `delete collection of ${kind}`,
          parameters: deleteCollectionParameters,
          body: body(`${META}DeleteOptions`, false),
          answer: `${META}Status`,
        }
    }
  }
}

/** Moves the parameters of a path's only operation to the path, as kube-apiserver does. */
function hoist(item: PathItem): PathItem {
  const [only, ...others] = item.operations
  if (only === undefined || others.length > 0 || only.method === 'patch') return item
  return { ...item, operations: [{ ...only, parameters: [] }], parameters: [...only.parameters, ...item.parameters] }
}
