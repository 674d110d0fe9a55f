import { findCondition, formatGroupKind, getOwn, type GroupKind, gvkOf, isJsonObject, type KubeObject } from '@weft/api'
import { type CustomResourceDefinition, customResourceDefinitionKind, type InformerLease, type SharedInformers } from '@weft/client'
import { allowsClaimFields, hasClaimFields } from './claim-schema.ts'

/** Which custom kinds the server serves. Controllers of kinds that are not there cost nothing, and start when they come (M12). */
export class ServedKinds {
  readonly #lease: InformerLease<CustomResourceDefinition>
  readonly #served = new Map<string, CustomResourceDefinition>()
  readonly #unsubscribe: () => void

  /** `onChange` is told of each kind that comes or goes. */
  constructor(informers: SharedInformers, onChange: (kind: GroupKind, served: boolean) => void) {
    this.#lease = informers.acquire({ kind: customResourceDefinitionKind })
    this.#unsubscribe = this.#lease.informer.subscribe(({ type, object }) => {
      const kind = definedKind(object)
      const key = formatGroupKind(kind)
      const before = this.#served.has(key)
      const after = type !== 'deleted' && isEstablished(object)
      if (after) this.#served.set(key, object)
      else this.#served.delete(key)
      if (before === after) return
      if (after) informers.retryNow(kind.group, kind.kind)
      onChange(kind, after)
    })
  }

  get synced(): Promise<void> {
    return this.#lease.informer.synced
  }

  has(kind: GroupKind): boolean {
    return this.#served.has(formatGroupKind(kind))
  }

  /** The established definition of a kind. */
  definitionOf(kind: GroupKind): CustomResourceDefinition | undefined {
    return this.#served.get(formatGroupKind(kind))
  }

  /** Is status written apart from the rest? A plain kind need not have it so (F2). */
  hasStatus(kind: GroupKind): boolean {
    const versions = this.#served.get(formatGroupKind(kind))?.spec.versions ?? []
    return (
      versions.length === 0 ||
      versions.some(({ subresources }) => isJsonObject(subresources) && getOwn(subresources, 'status') !== undefined)
    )
  }

  /** Undefined: not served. */
  isNamespaced(kind: GroupKind): boolean | undefined {
    const definition = this.#served.get(formatGroupKind(kind))
    return definition && definition.spec.scope === 'Namespaced'
  }

  /** F2: can objects of this kind be claims, whoever calls them that? Others would be written to in vain, and are none of our business. */
  canBeClaimed(kind: GroupKind): boolean {
    const definition = this.#served.get(formatGroupKind(kind))
    return definition !== undefined && keepsClaimFields(definition)
  }

  /** F2: namespaced kinds that say they are claims, or have the fields of one. */
  claims(): readonly GroupKind[] {
    return [...this.#served.values()].filter(looksLikeClaim).map(definedKind)
  }

  async stop(): Promise<void> {
    this.#unsubscribe()
    await this.#lease.release()
  }
}

const definedKind = ({ spec }: CustomResourceDefinition): GroupKind => ({ group: spec.group, kind: spec.names.kind })

const isEstablished = ({ metadata, status }: CustomResourceDefinition): boolean =>
  metadata.deletionTimestamp === undefined && findCondition(status?.conditions, 'Established')?.status === 'True'

/** By definition. Schemas are large, and all of them are asked about whenever one kind of thousands comes or goes. */
const claimShaped = new WeakMap<CustomResourceDefinition, boolean>()

function looksLikeClaim(definition: CustomResourceDefinition): boolean {
  const known = claimShaped.get(definition)
  if (known !== undefined) return known
  const is = isClaimShaped(definition)
  claimShaped.set(definition, is)
  return is
}

function isClaimShaped(definition: CustomResourceDefinition): boolean {
  const { spec } = definition
  if (spec.scope !== 'Namespaced') return false
  if ((spec.names as { readonly categories?: readonly string[] }).categories?.includes('claim') === true)
    return keepsClaimFields(definition)
  return spec.versions.some(({ schema }) => hasClaimFields(schemaOf(schema)))
}

/** Namespaced, and what binding writes into the spec is not pruned away. */
const keepsClaimFields = ({ spec }: CustomResourceDefinition): boolean =>
  spec.scope === 'Namespaced' && spec.versions.some(({ schema }) => allowsClaimFields(schemaOf(schema)))

const schemaOf = (schema: unknown): unknown => (isJsonObject(schema) ? getOwn(schema, 'openAPIV3Schema') : undefined)

/** `group` and `kind` of any object. */
export const kindOf = (object: Pick<KubeObject, 'apiVersion' | 'kind'>): GroupKind => {
  const { group, kind } = gvkOf(object)
  return { group, kind }
}
