import { deepEqual, getOwn, isJsonObject, type JsonObject, type KubeObject, parseGroupVersion, specOf } from '@weft/api'

/** Where a connection secret is written. A namespace without a name is allowed: the writer chooses the name (B32). */
export interface SecretRef {
  readonly namespace?: string
  readonly name?: string
}

const SINGULAR = 'writeConnectionSecretToRef'
const PLURAL = 'writeConnectionSecretsToRef'
const TO_NAMESPACE = 'writeConnectionSecretsToNamespace'

/** B4: the kinds whose seed writes the plural. Everything else gets the singular when we write it. */
const PLURAL_KINDS: ReadonlySet<string> = new Set(['aggregation.crossplane.io/AggregateResource', 'core.crossplane.io/CompositeResource'])

/**
 * The one accessor for connection secret references, whatever the spelling (B4): singular, plural, or half of it in each (001:549 and
 * 556); `writeConnectionSecretsToNamespace` on a spec means a secret named after the object's own uid (B5). Composites and requirements
 * keep theirs under `spec.infrastructure` (C17).
 */
export function connectionSecretRef(object: KubeObject): SecretRef | undefined {
  const spec = object['spec']
  if (!isJsonObject(spec)) return undefined
  const infrastructure = getOwn(spec, 'infrastructure')
  return (
    secretRefOf(spec, object.metadata?.uid) ??
    (isJsonObject(infrastructure) ? secretRefOf(infrastructure, object.metadata?.uid) : undefined)
  )
}

/** The same, of the object that holds the fields. */
export function secretRefOf(holder: JsonObject, uid?: string): SecretRef | undefined {
  const singular = partOf(getOwn(holder, SINGULAR))
  const plural = partOf(getOwn(holder, PLURAL))
  const toNamespace = text(getOwn(holder, TO_NAMESPACE))
  const ref: SecretRef = {
    ...(toNamespace !== undefined && { namespace: toNamespace, ...(uid !== undefined && { name: uid }) }),
    ...plural,
    ...singular,
  }
  return ref.namespace === undefined && ref.name === undefined ? undefined : ref
}

/**
 * The object with its reference in the canonical spelling of its kind, where `connectionSecretRef` would find it; every other spelling
 * goes. Undefined removes it.
 */
export function withConnectionSecretRef(object: KubeObject, ref: SecretRef | undefined): KubeObject {
  const spec = specOf(object)
  const infrastructure = getOwn(spec, 'infrastructure')
  const nested = isJsonObject(infrastructure) && secretRefOf(spec) === undefined
  const name = PLURAL_KINDS.has(`${parseGroupVersion(object.apiVersion).group}/${object.kind}`) ? PLURAL : SINGULAR
  const holder = nested ? infrastructure : spec
  const next = withRef(holder, name, ref)
  if (next === holder) return object
  return { ...object, spec: nested ? { ...spec, infrastructure: next } : next }
}

function withRef(holder: JsonObject, name: string, ref: SecretRef | undefined): Readonly<Record<string, unknown>> {
  const next: Record<string, unknown> = { ...holder }
  for (const other of [SINGULAR, PLURAL, TO_NAMESPACE]) if (other !== name || ref === undefined) delete next[other]
  if (ref !== undefined) next[name] = { ...(isJsonObject(next[name]) ? next[name] : {}), ...ref }
  return deepEqual(next, holder) ? holder : next
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function partOf(value: unknown): SecretRef {
  if (!isJsonObject(value)) return {}
  const namespace = text(getOwn(value, 'namespace'))
  const name = text(getOwn(value, 'name'))
  return { ...(namespace !== undefined && { namespace }), ...(name !== undefined && { name }) }
}
