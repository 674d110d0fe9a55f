import { type FieldError, field, type KubeObject } from '@weft/api'
import { column } from '../column.ts'
import type { BuiltinKind } from '../kind.ts'
import { at, isSet, listAt, numberAt, textAt, textsAt } from '../read.ts'
import { countColumn, few, flagColumn, textColumn } from './columns.ts'
import { stored } from './stored.ts'

/** Groups with one kind each. */
export const otherKinds = (): readonly BuiltinKind[] => [
  stored({
    group: 'discovery.k8s.io',
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    counted: ['addressType', 'endpoints', 'ports'],
    columns: [
      textColumn('AddressType', 'What the addresses are.', ['addressType']),
      column('Ports', 'The ports.', (object) => few(listAt(object, 'ports').map(portText))),
      column('Endpoints', 'The addresses.', (object) => few(listAt(object, 'endpoints').flatMap((each) => textsAt(each, 'addresses')))),
    ],
    strategy: { validate: sliceErrors },
  }),
  stored({
    group: 'node.k8s.io',
    kind: 'RuntimeClass',
    plural: 'runtimeclasses',
    namespaced: false,
    columns: [textColumn('Handler', 'What runs the containers.', ['handler'])],
    strategy: {
      createOnUpdate: true,
      unconditionalUpdate: false,
      validate: (object) => (textAt(object, 'handler') === '' ? [field.required('handler', '')] : []),
      validateUpdate: (next, old) => unchanged(next, old, 'handler'),
    },
  }),
  stored({
    group: 'scheduling.k8s.io',
    kind: 'PriorityClass',
    plural: 'priorityclasses',
    counted: ['value'],
    namespaced: false,
    shortNames: ['pc'],
    columns: [
      countColumn('Value', 'The priority.', 'value'),
      flagColumn('Global-Default', 'Whether it is for pods that name no class.', ['globalDefault']),
    ],
    wide: [column('PreemptionPolicy', 'Never or PreemptLowerPriority.', (object) => textAt(object, 'preemptionPolicy'), { priority: 1 })],
    strategy: {
      validate: priorityErrors,
      validateUpdate: (next, old) => [
        ...priorityErrors(next),
        ...(numberAt(next, 'value') === numberAt(old, 'value') ? [] : [field.forbidden('value', 'may not be changed in an update.')]),
      ],
    },
  }),
]

const portText = (port: unknown): string => {
  const number = numberAt(port, 'port')
  return number === undefined ? (isSet(at(port, 'name')) ? textAt(port, 'name') : '*') : String(number)
}

const TYPES = ['FQDN', 'IPv4', 'IPv6']

function sliceErrors(object: KubeObject): FieldError[] {
  const type = textAt(object, 'addressType')
  if (type === '') return [field.required('addressType', '')]
  return TYPES.includes(type) ? [] : [field.notSupported('addressType', type, TYPES)]
}

const unchanged = (next: KubeObject, old: KubeObject, name: string): FieldError[] =>
  textAt(next, name) === textAt(old, name) ? [] : [field.invalid(name, textAt(next, name), 'field is immutable')]

const HIGHEST = 1_000_000_000

function priorityErrors(object: KubeObject): FieldError[] {
  const value = numberAt(object, 'value') ?? 0
  const name = object.metadata.name ?? ''
  if (name.startsWith('system-'))
    return [
      field.forbidden(
        'metadata.name',
        "priority class names with 'system-' prefix are reserved for system use only. error: " +
          name +
          ' is not a known system priority class',
      ),
    ]
  return value > HIGHEST ? [field.forbidden('value', `maximum allowed value of a user defined priority is ${HIGHEST}`)] : []
}
