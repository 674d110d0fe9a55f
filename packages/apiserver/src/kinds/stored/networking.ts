import { type FieldError, field, indexPath, type KubeObject } from '@weft/api'
import { column } from '../column.ts'
import type { BuiltinKind } from '../kind.ts'
import { at, isSet, listAt, numberAt, recordAt, textAt, textsAt } from '../read.ts'
import { few, selectorText, textColumn } from './columns.ts'
import { stored } from './stored.ts'

const group = 'networking.k8s.io'

export const networkingKinds = (): readonly BuiltinKind[] => [
  stored({
    group,
    kind: 'Ingress',
    plural: 'ingresses',
    shortNames: ['ing'],
    hasStatus: true,
    counted: true,
    columns: [
      textColumn('Class', 'Class that serves it.', ['spec', 'ingressClassName'], '<none>'),
      column('Hosts', 'Host names.', hosts),
      column('Address', 'Where traffic enters.', addresses),
      column('Ports', 'Ports that are exposed.', (object) => (listAt(object, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
    ],
    strategy: { validate: ingressErrors },
  }),
  stored({
    group,
    kind: 'IngressClass',
    plural: 'ingressclasses',
    namespaced: false,
    counted: true,
    columns: [
      textColumn('Controller', 'Who serves the class.', ['spec', 'controller']),
      column('Parameters', 'More settings.', parameters),
    ],
    strategy: {
      validate: (object) => (textAt(object, 'spec', 'controller') === '' ? [field.required('spec.controller', '')] : []),
      validateUpdate: (next, old) =>
        textAt(next, 'spec', 'controller') === textAt(old, 'spec', 'controller')
          ? []
          : [field.invalid('spec.controller', textAt(next, 'spec', 'controller'), 'field is immutable')],
    },
  }),
  stored({
    group,
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    shortNames: ['netpol'],
    counted: true,
    columns: [column('Pod-Selector', 'Pods that it is about.', (object) => selectorText(recordAt(object, 'spec', 'podSelector')))],
  }),
  stored({
    group,
    kind: 'IPAddress',
    plural: 'ipaddresses',
    namespaced: false,
    shortNames: ['ip'],
    columns: [column('ParentRef', 'What has the address.', parent)],
  }),
  stored({
    group,
    kind: 'ServiceCIDR',
    plural: 'servicecidrs',
    namespaced: false,
    hasStatus: true,
    columns: [column('CIDRs', 'Ranges of addresses.', (object) => textsAt(object, 'spec', 'cidrs').join(','))],
  }),
]

function hosts(object: KubeObject): string {
  const named = listAt(object, 'spec', 'rules').map((rule) => textAt(rule, 'host'))
  const shown = named.filter((host) => host !== '')
  return shown.length === 0 ? '*' : few(shown)
}

function addresses(object: KubeObject): string {
  const all = listAt(object, 'status', 'loadBalancer', 'ingress').map((entry) => textAt(entry, 'ip') || textAt(entry, 'hostname'))
  return [...new Set(all.filter((address) => address !== ''))].sort().join(',')
}

function parameters(object: KubeObject): string {
  const reference = recordAt(object, 'spec', 'parameters')
  if (!isSet(at(object, 'spec', 'parameters'))) return '<none>'
  const inGroup = textAt(reference, 'apiGroup')
  return `${textAt(reference, 'kind')}${inGroup === '' ? '' : `.${inGroup}`}/${textAt(reference, 'name')}`
}

function parent(object: KubeObject): string {
  const reference = recordAt(object, 'spec', 'parentRef')
  if (!isSet(at(object, 'spec', 'parentRef'))) return '<none>'
  const [inGroup, resource] = [textAt(reference, 'group'), textAt(reference, 'resource')]
  const namespace = textAt(reference, 'namespace')
  const kind = (inGroup === '' ? resource : `${resource}.${inGroup}`).toLowerCase()
  return `${kind}${namespace === '' ? '' : `/${namespace}`}/${textAt(reference, 'name')}`
}

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix']

function ingressErrors(object: KubeObject): FieldError[] {
  const rules = listAt(object, 'spec', 'rules')
  if (rules.length === 0 && !isSet(at(object, 'spec', 'defaultBackend')))
    return [field.invalid('spec', null, 'either `defaultBackend` or `rules` must be specified')]
  const errors = isSet(at(object, 'spec', 'defaultBackend'))
    ? backendErrors(at(object, 'spec', 'defaultBackend'), 'spec.defaultBackend')
    : []
  const ofRules = rules.flatMap((rule, i) =>
    listAt(rule, 'http', 'paths').flatMap((path, j) => pathErrors(path, indexPath(`${indexPath('spec.rules', i)}.http.paths`, j))),
  )
  return [...errors, ...ofRules]
}

function backendErrors(backend: unknown, path: string): FieldError[] {
  const [resource, service] = [isSet(at(backend, 'resource')), isSet(at(backend, 'service'))]
  if (resource && service) return [field.invalid(path, '', 'cannot set both resource and service backends')]
  if (resource) return []
  if (!service) return [field.invalid(path, '', 'resource or service backend is required')]
  const [name, number] = [textAt(backend, 'service', 'port', 'name') !== '', (numberAt(backend, 'service', 'port', 'number') ?? 0) !== 0]
  return [
    ...(textAt(backend, 'service', 'name') === '' ? [field.required(`${path}.service.name`, '')] : []),
    ...(name && number ? [field.invalid(path, '', 'cannot set both port name & port number')] : []),
    ...(name || number ? [] : [field.required(path, 'port name or number is required')]),
  ]
}

function pathErrors(path: unknown, where: string): FieldError[] {
  const type = textAt(path, 'pathType')
  if (type === '') return [field.required(`${where}.pathType`, 'pathType must be specified')]
  if (!PATH_TYPES.includes(type)) return [field.notSupported(`${where}.pathType`, type, PATH_TYPES)]
  const text = textAt(path, 'path')
  return [
    ...(type !== 'ImplementationSpecific' && !text.startsWith('/')
      ? [field.invalid(`${where}.path`, text, 'must be an absolute path')]
      : []),
    ...backendErrors(at(path, 'backend'), `${where}.backend`),
  ]
}
