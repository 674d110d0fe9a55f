import { specOf } from '@weft/api'
import { type Catalog, storageKey } from '../../registry/index.ts'

export interface ServiceReference {
  readonly namespace: string
  readonly name: string
  readonly port: number
}

export interface ServiceAddress {
  readonly host: string
  readonly port: number
}

/**
 * Where a service listens. Asked before every call, so it must answer at once and may change its mind. Throws an Error
 * whose message tells the reader of a failed request what to do.
 */
export type ServiceResolver = (service: ServiceReference) => ServiceAddress

/**
 * There is no cluster network behind this server: a Service leads somewhere only when it names a host itself, as those
 * of type ExternalName do.
 */
export function serviceObjects(catalog: Catalog): ServiceResolver {
  return ({ namespace, name, port }) => {
    const type = catalog.find('', 'v1', 'services')
    const service = type === undefined ? undefined : catalog.store(type).get(storageKey(type, namespace, name))?.object
    if (service === undefined) throw new Error(`service "${name}" not found in namespace "${namespace}"`)
    const spec = specOf(service)
    const { type: kind, externalName } = spec
    if (kind === 'ExternalName' && typeof externalName === 'string' && externalName !== '') return { host: externalName, port }
    throw new Error(
      `service "${namespace}/${name}" is of type ${typeof kind === 'string' ? kind : 'ClusterIP'}, which leads nowhere without a cluster network: ` +
        'give clientConfig.url, or make it a Service of type ExternalName',
    )
  }
}
