import { isJsonObject, type JsonObject, type KubeObject, type Schema, specOf } from '@weft/api'
import { hasKept, keepFields, withoutUnused } from './kept-fields.ts'

/** One version of a kind, as far as this is about it. */
interface Version {
  readonly [field: string]: unknown
}

/** The objects of a kind, when they have to be looked at. */
export type Objects = () => Promise<readonly KubeObject[]>

/**
 * The versions of a kind that another schema is to be served for. Nothing that an object has in its spec is lost by that: `before` (what is served,
 * and what was about to be) keeps its fields for as long as they may be in use. One that went with an earlier schema, and that no object has any more, goes.
 *
 * An object that gets such a field at the very moment when it goes loses it. That has been no field of the provider for a whole version, and
 * nothing was ever done about it.
 */
export async function keepVersions<V extends Version>(
  next: readonly V[],
  before: readonly Version[],
  objects: Objects,
): Promise<readonly V[]> {
  let specs: Promise<readonly unknown[]> | undefined
  const used = async (spec: Schema): Promise<Schema | undefined> =>
    hasKept(spec) ? withoutUnused(spec, await (specs ??= objects().then((all) => all.map(specOf)))) : spec
  const kept: V[] = []
  for (const version of next) {
    let spec = specSchemaOf(version)
    for (const earlier of before) {
      const known = earlier['name'] === version['name'] ? specSchemaOf(earlier) : undefined
      const inUse = known && (await used(known))
      if (spec !== undefined && inUse !== undefined) spec = keepFields(spec, inUse)
    }
    kept.push(spec === undefined ? version : withSpecSchema(version, spec))
  }
  return kept
}

const objectAt = (holder: unknown, key: string): JsonObject | undefined => {
  const value = isJsonObject(holder) ? holder[key] : undefined
  return isJsonObject(value) ? value : undefined
}

const rootOf = (version: Version): JsonObject | undefined => objectAt(objectAt(version, 'schema'), 'openAPIV3Schema')

const specSchemaOf = (version: Version): Schema | undefined =>
  objectAt(objectAt(rootOf(version), 'properties'), 'spec') as Schema | undefined

function withSpecSchema<V extends Version>(version: V, spec: Schema): V {
  const root = rootOf(version)
  const openAPIV3Schema = { ...root, properties: { ...objectAt(root, 'properties'), spec } }
  return { ...version, schema: { ...objectAt(version, 'schema'), openAPIV3Schema } }
}
