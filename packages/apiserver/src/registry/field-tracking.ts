import { formatGroupVersion, formatTime, type KubeObject, parseGroupVersion } from '@weft/api'
import { type ConvertVersion, type FieldSet, fieldsNamed, trackUpdate, type WriteContext as FieldContext } from '../apply/index.ts'
import { type ResourceType, type Strategy, strategyFor } from './resource-type.ts'
import type { RegistryServices, WriteContext } from './services.ts'

const resetSets = new WeakMap<Strategy, FieldSet>()

/** What field management needs to know of a request. */
export function fieldContext(
  services: RegistryServices,
  { type, subresource, manager }: Pick<WriteContext, 'type' | 'subresource' | 'manager'>,
): FieldContext {
  const strategy = strategyFor(type, subresource)
  return {
    manager,
    subresource: subresource === '' ? undefined : subresource,
    apiVersion: formatGroupVersion(type),
    time: formatTime(services.now()),
    schema: type.schema,
    builtIn: !type.custom,
    resetFields: resetSetOf(strategy),
    convert: type.conversion === undefined ? undefined : converter(services, type),
  }
}

/** Records in managedFields who wrote what. */
export function track(services: RegistryServices, context: WriteContext, next: KubeObject, live: KubeObject | undefined): KubeObject {
  return trackUpdate({ ...fieldContext(services, context), live, next })
}

function resetSetOf(strategy: Strategy): FieldSet | undefined {
  if (strategy.resetFields.length === 0) return undefined
  let set = resetSets.get(strategy)
  if (set === undefined) resetSets.set(strategy, (set = fieldsNamed(...strategy.resetFields.map((path) => path.split('.')))))
  return set
}

/**
 * Owners recorded in another version are compared in that version. Conversion by webhook is asynchronous and field
 * management is not: there, as with conversion `None`, field names are taken to mean the same in every version.
 */
function converter(services: RegistryServices, type: ResourceType): ConvertVersion {
  return (object, apiVersion) => {
    const { group, version } = parseGroupVersion(apiVersion)
    const target = services.catalog.find(group, version, type.plural)
    if (target === undefined) return undefined
    return { object: { ...object, apiVersion }, ...(target.schema !== undefined && { schema: target.schema }) }
  }
}
