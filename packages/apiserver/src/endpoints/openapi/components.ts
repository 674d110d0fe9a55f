import { formatGroupVersion, type GroupVersionKind } from '@weft/api'
import { modelName, type OpenApiDialect, type OpenApiSchema, publishKind } from '@weft/schema'
import { type BuiltinKind, listMessage } from '../../kinds/kind.ts'
import { type Message, reachable } from '../../kinds/message.ts'
import { componentOf, openApiV2, openApiV3 } from '../../kinds/schema.ts'
import { scale } from '../../kinds/autoscaling/messages.ts'
import type { ResourceType } from '../../registry/index.ts'
import { coreKinds } from './meta-messages.ts'
import type { KindComponents } from './operations.ts'

/** Components by name. */
export type Components = Map<string, OpenApiSchema>

export const SCALE: GroupVersionKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' }

/** Finds the components of served types: in the table of built-in kinds, or in the schema of a custom one. */
export class ComponentSource {
  readonly #kinds: ReadonlyMap<string, BuiltinKind>

  constructor(kinds: readonly BuiltinKind[]) {
    this.#kinds = new Map(kinds.map((kind) => [kindKey(kind), kind]))
  }

  namesOf(type: ResourceType): KindComponents {
    const kind = this.#builtin(type)
    if (kind === undefined) {
      const object = modelName(type)
      return { object, list: modelName({ ...type, kind: type.listKind }), part: (name) => (name === 'scale' ? scale.name : object) }
    }
    const object = kind.message.name
    return {
      object,
      list: `${object}List`,
      part: (name) => kind.subresources.find((part) => part.name === name)?.message.name ?? object,
    }
  }

  /** Adds what the operations of `type` refer to, leaving out messages of meta.k8s.io that every document has anyway. */
  add(target: Components, type: ResourceType, dialect: OpenApiDialect): void {
    const kind = this.#builtin(type)
    if (kind === undefined) return this.#addCustom(target, type, dialect)
    const { group } = type
    addMessage(target, kind.message, dialect, { group, version: type.version, kind: kind.kind })
    if (kind.listKind !== '') addMessage(target, listMessage(kind), dialect, { group, version: type.version, kind: kind.listKind })
    for (const part of kind.subresources) addMessage(target, part.message, dialect, part.kind ?? type)
  }

  #addCustom(target: Components, type: ResourceType, dialect: OpenApiDialect): void {
    const { group, version, kind, listKind, plural, schema, selectableFields } = type
    const published = { group, version, kind, listKind, plural, selectableFields: [...selectableFields.keys()], ...(schema && { schema }) }
    for (const [name, component] of Object.entries(publishKind(published, dialect))) target.set(name, component)
    if (type.subresources.some(({ name }) => name === 'scale')) addMessage(target, scale, dialect, SCALE)
  }

  #builtin(type: ResourceType): BuiltinKind | undefined {
    return type.custom ? undefined : this.#kinds.get(kindKey(type))
  }
}

const kindKey = ({ group, version, kind }: GroupVersionKind): string => `${formatGroupVersion({ group, version })}/${kind}`

/** Adds a message and everything it refers to. */
export function addMessage(target: Components, root: Message, dialect: OpenApiDialect, gvk?: GroupVersionKind): void {
  for (const [name, message] of reachable([root])) {
    if (target.has(name)) continue
    const component = componentOf(message, dialect === 'v3' ? openApiV3 : openApiV2) as OpenApiSchema
    const kind = message === root ? gvk : undefined
    target.set(name, { ...component, ...kindExtension(kind ?? coreKind(name)) })
  }
}

function coreKind(name: string): GroupVersionKind | undefined {
  const kind = coreKinds.get(name)
  return kind === undefined ? undefined : { group: '', version: 'v1', kind }
}

const kindExtension = (gvk: GroupVersionKind | undefined): OpenApiSchema =>
  gvk === undefined ? {} : { 'x-kubernetes-group-version-kind': [{ group: gvk.group, kind: gvk.kind, version: gvk.version }] }
