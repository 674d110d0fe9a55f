import type { GroupKind, KubeObject } from '@weft/api'
import type { ProviderSchema, Schema } from '../schema/schema.ts'
import { formatAddress } from '../sources/address.ts'
import type { StoredProvider } from '../sources/provider-store.ts'
import { type ConnectionKey, connectionKeys } from './connection-keys.ts'
import { groupOf, kindNames, type KindNames, type ProviderKinds, type ProviderType, renameKey } from './kind-names.ts'
import { overlayOf, type ProviderOverlay, renamesOf } from './overlay.ts'
import { PROVIDER_CONFIG, providerConfigKind } from './provider-config.ts'
import { type RenderedKind, renderKind } from './render-kind.ts'
import { shapeOf } from './shape-of.ts'
import type { KindShape } from './shape.ts'
import { stubDefinition } from './stub-definition.ts'

/** A provider as users of the API see it: a group with a kind for each of its types. Nothing of a type is worked out before it is asked for. */
export interface BridgedProvider {
  readonly provider: StoredProvider
  readonly schema: ProviderSchema
  readonly group: string
  readonly names: ProviderKinds
  readonly configKind: GroupKind
  /** The shape of the provider's own configuration. */
  readonly configuration: KindShape
  /** Everything that the package installs: the kind of its configurations, and a definition for each type, without its schema. */
  objects(packageDigest: string): readonly KubeObject[]
  /** The kind of a type; undefined where the provider has no such type. */
  kind(type: ProviderType): BridgedKind | undefined
}

export interface BridgedKind extends GroupKind {
  readonly provider: BridgedProvider
  readonly type: ProviderType
  readonly names: KindNames
  readonly schema: Schema
  readonly shape: KindShape
  readonly connectionKeys: readonly ConnectionKey[]
  /** How external names are made of attributes; by the identifier unless given. */
  readonly importFormat?: string | undefined
  rendered(): RenderedKind
}

export function bridgedProvider(provider: StoredProvider, schema: ProviderSchema, overlay: ProviderOverlay): BridgedProvider {
  const { address } = provider
  const group = groupOf(address)
  const { resources, dataSources } = schema
  const names = kindNames(address, { resources: resources.keys(), dataSources: dataSources.keys() }, renamesOf(overlay))
  const targets = new Map([...names.resource].map(([type, { kind }]) => [type, { group, kind }]))
  const types: readonly ProviderType[] = (['resource', 'data'] as const).flatMap((sort) =>
    [...names[sort].keys()].map((name) => ({ sort, name })),
  )
  const known = new Map<string, BridgedKind>()
  const configuration = shapeOf(schema.provider, { sort: 'configuration' })
  const make = (type: ProviderType): BridgedKind | undefined => {
    const found = (type.sort === 'data' ? dataSources : resources).get(type.name)
    const own = names[type.sort].get(type.name)
    if (found === undefined || own === undefined) return undefined
    const typeOverlay = overlayOf(overlay, renameKey(type))
    const prefix = type.name.split('_')[0]
    const shape = shapeOf(found, { overlay: typeOverlay, prefix, targets, sort: type.sort })
    return {
      group,
      kind: own.kind,
      provider: bridged,
      type,
      names: own,
      schema: found,
      shape,
      connectionKeys: connectionKeys(shape.fields, typeOverlay),
      importFormat: typeOverlay.importFormat,
      rendered: () =>
        renderKind(shape, {
          type: renameKey(type),
          sort: type.sort,
          overlay: typeOverlay,
          identity: type.sort === 'resource' ? schema.identities.get(type.name) : undefined,
        }),
    }
  }
  const bridged: BridgedProvider = {
    provider,
    schema,
    group,
    names,
    configKind: { group, kind: PROVIDER_CONFIG.kind },
    configuration,
    objects: (packageDigest) => [
      providerConfigKind(group, configuration, address.type),
      ...types.flatMap((type) => {
        const own = names[type.sort].get(type.name)
        return own === undefined ? [] : [stubDefinition({ group, type, names: own, packageDigest, category: address.type })]
      }),
    ],
    kind(type) {
      const key = renameKey(type)
      const before = known.get(key)
      if (before !== undefined) return before
      const kind = make(type)
      if (kind !== undefined) known.set(key, kind)
      return kind
    },
  }
  return bridged
}

/** For messages. */
export const describeProvider = ({ address, version }: StoredProvider): string => `${formatAddress(address)} ${version}`
