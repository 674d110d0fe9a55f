import { deepEqual, type KindDefinition, type KubeObject, type Schema } from '@weft/api'
import type { CustomResourceDefinition } from '@weft/client'
import { widenSchema } from './widen-schema.ts'

/** The groups of the API that Weft and Crossplane have in common. Kinds of other groups of these names were never Crossplane's of today. */
const SHARED_GROUPS: ReadonlySet<string> = new Set([
  'apiextensions.crossplane.io',
  'pkg.crossplane.io',
  'protection.crossplane.io',
  'ops.crossplane.io',
])

interface Version {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly schema?: { readonly openAPIV3Schema?: Schema }
  readonly subresources?: object
}

interface Spec {
  readonly scope: string
  readonly names: { readonly kind: string; readonly shortNames?: readonly string[]; readonly categories?: readonly string[] }
  readonly versions: readonly Version[]
  readonly conversion?: { readonly strategy?: string }
}

/**
 * Whether Weft may use a kind that is there already and is not its own, and what must become of it for that.
 *
 * - `adopt`: it is wide enough for both once it says this. What is stored stays in the version that it is stored in, and loses no field; the very same
 *   object where nothing need change. It stays its owner's: whoever installed it may write it anew, and Weft never removes it.
 * - `refuse`: why it cannot be shared.
 */
export type Adoption =
  | { readonly type: 'adopt'; readonly kind: CustomResourceDefinition }
  | { readonly type: 'refuse'; readonly reason: string }

export function adoptKind(installed: CustomResourceDefinition, wanted: KindDefinition): Adoption {
  const refuse = (reason: string): Adoption => ({ type: 'refuse', reason })
  if (!SHARED_GROUPS.has(wanted.spec.group)) return refuse('')
  const [theirs, ours] = [installed.spec as unknown as Spec, wanted.spec as unknown as Spec]
  if (installed.metadata.deletionTimestamp !== undefined) return refuse('it is being deleted')
  if (theirs.scope !== ours.scope) return refuse(`its scope is ${theirs.scope}, and Weft's is ${ours.scope}`)
  if (theirs.names.kind !== ours.names.kind) return refuse(`it is a kind ${theirs.names.kind}, and Weft's is ${ours.names.kind}`)
  if (!theirs.versions.some(({ name }) => ours.versions.some((own) => own.name === name)))
    return refuse(`it has none of the versions ${ours.versions.map(({ name }) => name).join(', ')}: upgrade Crossplane first`)
  const known = new Map(ours.versions.map((version) => [version.name, version]))
  const versions = theirs.versions.map((version) => {
    const own = known.get(version.name)
    known.delete(version.name)
    return own === undefined ? version : widened(version, own)
  })
  const added = [...known.values()]
  if (added.length > 0 && theirs.conversion?.strategy === 'Webhook')
    return refuse(`a webhook converts its versions, and does not know ${added.map(({ name }) => name).join(', ')}`)
  const spec = {
    ...theirs,
    names: {
      ...theirs.names,
      ...listed('shortNames', theirs.names.shortNames, ours.names.shortNames),
      ...listed('categories', theirs.names.categories, ours.names.categories),
    },
    versions: [...versions, ...added.map((version) => ({ ...version, storage: false }))],
  }
  return { type: 'adopt', kind: deepEqual(spec, theirs) ? installed : ({ ...installed, spec } as unknown as CustomResourceDefinition) }
}

/** What is shown of it in lists stays as its users know it. */
function widened(theirs: Version, ours: Version): Version {
  const [given, own] = [theirs.schema?.openAPIV3Schema, ours.schema?.openAPIV3Schema]
  return {
    ...theirs,
    served: true,
    ...(given !== undefined && own !== undefined && { schema: { openAPIV3Schema: widenSchema(given, own) } }),
    ...(Object.keys({ ...ours.subresources, ...theirs.subresources }).length > 0 && {
      subresources: { ...ours.subresources, ...theirs.subresources },
    }),
  }
}

function listed(name: string, theirs: readonly string[] = [], ours: readonly string[] = []): object {
  const all = [...new Set([...theirs, ...ours])]
  return all.length === 0 ? {} : { [name]: all }
}

export const isKind = (object: KubeObject): object is CustomResourceDefinition => object.kind === 'CustomResourceDefinition'
