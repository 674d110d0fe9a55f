import { badRequest, failure, notFound } from '@weft/api'
import type { Catalog } from '../registry/index.ts'
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts'

/** Namespaces that clients rely on; without them the server could not restart cleanly. */
const IMMORTAL = new Set(['default', 'kube-system', 'kube-public'])

/** Objects live only in namespaces that exist, and nothing new starts in one that is going. */
export function namespaceLifecycle(catalog: () => Catalog): AdmissionPlugin {
  return {
    name: 'NamespaceLifecycle',
    mutate(request) {
      check(catalog(), request)
      return request.object
    },
  }
}

function check(catalog: Catalog, { operation, type, namespace, name, subresource }: AdmissionRequest): void {
  if (operation === 'DELETE' && type.group === '' && type.plural === 'namespaces' && IMMORTAL.has(name))
    throw failure({
      code: 403,
      reason: 'Forbidden',
      message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
      details: { name, kind: 'namespaces' },
    })
  if (!type.namespaced || operation === 'DELETE' || operation === 'CONNECT') return
  if (namespace === '') throw badRequest('an empty namespace may not be set during creation')
  const namespaces = catalog.find('', 'v1', 'namespaces')
  if (namespaces === undefined || operation !== 'CREATE' || subresource !== '') return
  const found = catalog.store(namespaces).get(namespaces.storage.prefix + namespace)?.object
  // Reviews are answered, not stored.
  if (type.verbs.length === 1) return
  if (found === undefined) throw notFound({ group: '', resource: 'namespaces', name: namespace })
  if (found.metadata.deletionTimestamp === undefined) return
  throw failure({
    code: 403,
    reason: 'Forbidden',
    message: `${type.plural}${type.group === '' ? '' : `.${type.group}`} "${name}" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
    details: {
      name,
      ...(type.group !== '' && { group: type.group }),
      kind: type.plural,
      causes: [{ reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' }],
    },
  })
}
