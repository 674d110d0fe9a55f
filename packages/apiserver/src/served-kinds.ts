import type { FieldError, GroupVersionKind, KubeObject, Schema } from '@weft/api'
import { type Catalog, compiledSchema } from './registry/index.ts'

/** What is served right now, for admission that lives outside the server: pure look-ups, no requests. */
export interface ServedKinds {
  find(kind: GroupVersionKind): ServedKind | undefined
  /** All objects of a kind, in key order; empty when it is not served. */
  objects(kind: GroupVersionKind): readonly KubeObject[]
}

export interface ServedKind {
  readonly plural: string
  /** Of a custom kind: the CustomResourceDefinition. */
  readonly definition: KubeObject | undefined
  readonly schema: Schema | undefined
  readonly namespaced: boolean
  /** Everything that the schema of a custom kind has against an object; built-in kinds are checked when they are decoded. */
  validate(object: KubeObject): readonly FieldError[]
}

/** A custom kind as its definition has it, for admission that has no server at hand. */
export const servedKindOf = (schema: Schema | undefined, facts: Pick<ServedKind, 'namespaced' | 'plural' | 'definition'>): ServedKind => ({
  schema,
  ...facts,
  validate: (object) => (schema === undefined ? [] : compiledSchema(schema).validate(object)),
})

export function servedKinds(catalog: Catalog): ServedKinds {
  return {
    find({ group, version, kind }) {
      const type = catalog.findKind(group, version, kind)
      if (type === undefined) return undefined
      const { schema, namespaced, plural, custom } = type
      if (!custom) return { schema, namespaced, plural, definition: undefined, validate: () => [] }
      return servedKindOf(schema, { namespaced, plural, definition: definitionIn(catalog, `${plural}.${group}`) })
    },
    objects({ group, version, kind }) {
      const type = catalog.findKind(group, version, kind)
      return type === undefined
        ? []
        : catalog
            .store(type)
            .scan(type.storage.prefix)
            .map(({ object }) => object)
    },
  }
}

function definitionIn(catalog: Catalog, name: string): KubeObject | undefined {
  const type = catalog.findKind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition')
  return type === undefined ? undefined : catalog.store(type).get(type.storage.prefix + name)?.object
}
