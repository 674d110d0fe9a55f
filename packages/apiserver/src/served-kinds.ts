import type { FieldError, GroupVersionKind, KubeObject, Schema } from '@weft/api'
import { type Catalog, compiledSchema } from './registry/index.ts'

/** What is served right now, for admission that lives outside the server: pure look-ups, no requests. */
export interface ServedKinds {
  find(kind: GroupVersionKind): ServedKind | undefined
  /** All objects of a kind, in key order; empty when it is not served. */
  objects(kind: GroupVersionKind): readonly KubeObject[]
}

export interface ServedKind {
  readonly schema: Schema | undefined
  readonly namespaced: boolean
  /** Everything that the schema of a custom kind has against an object; built-in kinds are checked when they are decoded. */
  validate(object: KubeObject): readonly FieldError[]
}

/** A custom kind as its definition has it, for admission that has no server at hand. */
export const servedKindOf = (schema: Schema | undefined, namespaced: boolean): ServedKind => ({
  schema,
  namespaced,
  validate: (object) => (schema === undefined ? [] : compiledSchema(schema).validate(object)),
})

export function servedKinds(catalog: Catalog): ServedKinds {
  return {
    find({ group, version, kind }) {
      const type = catalog.findKind(group, version, kind)
      if (type === undefined) return undefined
      const { schema, namespaced, custom } = type
      return custom ? servedKindOf(schema, namespaced) : { schema, namespaced, validate: () => [] }
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
