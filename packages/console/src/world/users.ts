import { getOwn, isJsonObject, type KubeObject, parseGroupVersion } from '@weft/api'
import { kindKey } from '../kinds/kind-info.ts'
import type { WorldSnapshot } from './world.ts'
import { livingCollections } from './attention.ts'
import { compositionSteps } from './composition-steps.ts'
import { classOf } from './class-of.ts'
import { makesOf } from './makes.ts'

const REFERENCES = ['providerConfigRef', 'providerRef']

/** The objects that depend on one that others are made from: a class, a composition, a definition, a function, a configuration of a provider. */
export function usersOf(world: WorldSnapshot, object: KubeObject): readonly KubeObject[] {
  const { group } = parseGroupVersion(object.apiVersion)
  const { name = '' } = object.metadata
  if (group === 'pkg.crossplane.io')
    return object.kind === 'Function'
      ? collection(world, 'Composition.apiextensions.crossplane.io').filter((each) => compositionSteps(each).some(({ fn }) => fn === name))
      : []
  if (DEFINITIONS.has(object.kind))
    return makesOf(world, object).flatMap((made) => [
      ...collection(world, kindKey(made)),
      ...collection(world, 'Composition.apiextensions.crossplane.io').filter((each) => isFor(each, made)),
    ])
  const living = livingCollections(world).flatMap(({ objects }) => [...objects.values()])
  if (CONFIGURATIONS.has(object.kind))
    return living.filter((each) => {
      const other = parseGroupVersion(each.apiVersion).group
      return (other === group || other.endsWith(`.${group}`)) && REFERENCES.some((field) => nameIn(each['spec'], field) === name)
    })
  return living.filter((each) => {
    const source = classOf(each)
    return source?.name === name && source.kind === object.kind && parseGroupVersion(source.apiVersion).group === group
  })
}

const DEFINITIONS: ReadonlySet<string> = new Set([
  'CompositeResourceDefinition',
  'InfrastructureDefinition',
  'ApplicationDefinition',
  'InfrastructurePublication',
])
const CONFIGURATIONS: ReadonlySet<string> = new Set(['ProviderConfig', 'ClusterProviderConfig', 'Provider'])

/** Is this object one that others are made from or with? */
export const isUsed = ({ apiVersion, kind }: KubeObject): boolean =>
  CONFIGURATIONS.has(kind) ? parseGroupVersion(apiVersion).group !== 'pkg.crossplane.io' : kind === 'Function'

const collection = (world: WorldSnapshot, key: string): readonly KubeObject[] => [...(world.collections.get(key)?.objects.values() ?? [])]

function nameIn(spec: unknown, field: string): unknown {
  const reference = isJsonObject(spec) ? getOwn(spec, field) : undefined
  return isJsonObject(reference) ? getOwn(reference, 'name') : undefined
}

function isFor(composition: KubeObject, { group, kind }: { readonly group: string; readonly kind: string }): boolean {
  const { spec } = composition as { readonly spec?: unknown }
  const from = isJsonObject(spec) ? (getOwn(spec, 'compositeTypeRef') ?? getOwn(spec, 'from')) : undefined
  return isJsonObject(from) && from['kind'] === kind && parseGroupVersion(String(from['apiVersion'])).group === group
}
