import { getOwn, isJsonObject, type JsonObject, type KubeObject, parseGroupVersion } from '@weft/api'
import type { TraceRef } from '@weft/composition'
import { apiVersionOf, type KindInfo } from '../../kinds/kind-info.ts'

const REFERENCES = ['providerConfigRef', 'providerRef'] as const
const CONFIG_KINDS: ReadonlySet<string> = new Set(['ProviderConfig', 'ClusterProviderConfig', 'Provider'])
const PLACES = ['region', 'location', 'zone', 'host', 'server', 'endpoint']

const objectAt = (holder: unknown, field: string): JsonObject => {
  const value = isJsonObject(holder) ? getOwn(holder, field) : undefined
  return isJsonObject(value) ? value : {}
}

const textAt = (holder: JsonObject, field: string): string | undefined => {
  const value = getOwn(holder, field)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The configuration of its provider that a managed resource names: which account or server it lives in. Its kind is known where the server serves it. */
export function providerConfigOf(
  object: KubeObject,
  kinds: readonly KindInfo[],
): { readonly name: string; readonly ref?: TraceRef } | undefined {
  for (const field of REFERENCES) {
    const reference = objectAt(object['spec'], field)
    const name = textAt(reference, 'name')
    if (name === undefined) continue
    const { group } = parseGroupVersion(object.apiVersion)
    const wanted = textAt(reference, 'kind')
    const kind = kinds.find(
      (each) =>
        (wanted === undefined ? CONFIG_KINDS.has(each.kind) : each.kind === wanted) &&
        each.group !== 'pkg.crossplane.io' &&
        (group === each.group || group.endsWith(`.${each.group}`)),
    )
    const { namespace } = object.metadata
    return {
      name,
      ...(kind !== undefined && {
        ref: { apiVersion: apiVersionOf(kind), kind: kind.kind, name, ...(kind.namespaced && namespace !== undefined && { namespace }) },
      }),
    }
  }
  return undefined
}

/** Where the external resource is, as far as the object says: `example · us-west2`. */
export function externalPlace(object: KubeObject): string | undefined {
  const config = REFERENCES.map((field) => textAt(objectAt(object['spec'], field), 'name')).find((name) => name !== undefined)
  const holders = [objectAt(object['spec'], 'forProvider'), objectAt(object['status'], 'atProvider')]
  const place = PLACES.flatMap((field) => holders.flatMap((holder) => textAt(holder, field) ?? []))[0]
  const known = [config, place].filter((part) => part !== undefined)
  return known.length === 0 ? undefined : known.join(' · ')
}

/** What the provider observed, where it is one value: the rest is in the tree of the status. */
export const observedFacts = (object: KubeObject): readonly (readonly [name: string, value: string | number | boolean])[] =>
  Object.entries(objectAt(object['status'], 'atProvider')).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[name, value] as const] : [],
  )
