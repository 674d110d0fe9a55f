import { getOwn, isJsonObject, type JsonObject, type KubeObject } from '@weft/api'
import { machineryOf as fieldsAt, type MachineryPlace } from '@weft/composition'
import { withMachinery as withFieldsAt } from '../binding/spec-reference.ts'
import type { MemberRef } from '../definition/definition.ts'
import type { XrScope } from '../xrd/xrd.ts'

/** A composed resource, as a composite resource refers to it. */
export interface ResourceRef {
  readonly apiVersion?: string
  readonly kind?: string
  readonly name?: string
  readonly namespace?: string
}

/** The fields of a composite resource that are the control plane's: right under spec, or under `spec.crossplane` (K26). */
export interface Machinery {
  readonly compositionRef?: { readonly name?: string }
  readonly compositionSelector?: { readonly matchLabels?: Readonly<Record<string, string>> }
  readonly compositionRevisionRef?: { readonly name?: string }
  readonly compositionRevisionSelector?: { readonly matchLabels?: Readonly<Record<string, string>> }
  readonly compositionUpdatePolicy?: string
  readonly resourceRefs?: readonly ResourceRef[]
}

const placeOf = (scope: XrScope): MachineryPlace => (scope === 'LegacyCluster' ? 'spec' : 'spec.crossplane')

/** What is there, as far as it has the shape that it should have: somebody else may have written it. */
export const machineryOf = (xr: KubeObject, scope: XrScope): Machinery => fieldsAt(xr, placeOf(scope)) as Machinery

/** What it is composed of. One in a namespace composes in its own. */
export const membersOf = (xr: KubeObject, scope: XrScope): readonly MemberRef[] =>
  (machineryOf(xr, scope).resourceRefs ?? []).flatMap(({ apiVersion = '', kind = '', name = '', namespace }) =>
    name === '' ? [] : [{ apiVersion, kind, name, namespace: xr.metadata.namespace ?? namespace }],
  )

/** The object with these fields; undefined removes one. The very same object when nothing changes. */
export const withMachinery = (
  xr: KubeObject,
  scope: XrScope,
  changes: { readonly [K in keyof Machinery]?: Machinery[K] | undefined },
): KubeObject => withFieldsAt(xr, placeOf(scope), changes)

/** A spec that holds these fields of the machinery and nothing else: for an apply that owns just them. */
export const machineryOnly = (scope: XrScope, fields: Machinery): Readonly<Record<string, unknown>> =>
  scope === 'LegacyCluster' ? { ...fields } : { crossplane: fields }

/** The name in a reference, where it is one. */
export const nameOf = (ref: unknown): string | undefined => {
  const name = isJsonObject(ref) ? ref['name'] : undefined
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** Where a spec wants connection details published; undefined where it names no secret. */
export function publishedTo(spec: JsonObject): { readonly name: string; readonly namespace?: string } | undefined {
  const ref = getOwn(spec, 'writeConnectionSecretToRef')
  const name = nameOf(ref)
  if (name === undefined || !isJsonObject(ref)) return undefined
  return typeof ref['namespace'] === 'string' ? { name, namespace: ref['namespace'] } : { name }
}
