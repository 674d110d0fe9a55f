import { addErrors, type FieldError, isDns1123Label, isLabelValue, isPathSegmentName, isQualifiedName, type ObjectMeta } from '@weft/api'
import { forbidden, invalid, required, tooLong, under } from './messages.ts'
import {
  always,
  bool,
  type Decoded,
  decodeShape,
  int64,
  listOf,
  mapOf,
  optional,
  pointer,
  type Shape,
  str,
  type StructShape,
} from './shape.ts'
import { utf8Length } from './values.ts'

const stringMap = mapOf(() => str, 'map[string]string')
const uid: Shape = { kind: 'string', go: 'types.UID' }
const time: Shape = { kind: 'time', go: 'v1.Time' }

const ownerReference: StructShape = {
  kind: 'struct',
  go: 'OwnerReference',
  members: {
    apiVersion: always(str),
    kind: always(str),
    name: always(str),
    uid: always(uid),
    controller: pointer(bool),
    blockOwnerDeletion: pointer(bool),
  },
}

const managedFieldsEntry: StructShape = {
  kind: 'struct',
  go: 'ManagedFieldsEntry',
  members: {
    manager: optional(str),
    operation: optional({ kind: 'string', go: 'v1.ManagedFieldsOperationType' }),
    apiVersion: optional(str),
    time: pointer(time),
    fieldsType: optional(str),
    fieldsV1: pointer({ kind: 'any', go: 'v1.FieldsV1' }),
    subresource: optional(str),
  },
}

const objectMeta: StructShape = {
  kind: 'struct',
  go: 'ObjectMeta',
  members: {
    name: optional(str),
    generateName: optional(str),
    namespace: optional(str),
    selfLink: optional(str),
    uid: optional(uid),
    resourceVersion: optional(str),
    generation: optional(int64),
    creationTimestamp: pointer(time),
    deletionTimestamp: pointer(time),
    deletionGracePeriodSeconds: pointer(int64),
    labels: optional(stringMap),
    annotations: optional(stringMap),
    ownerReferences: optional(listOf(() => ownerReference, '[]v1.OwnerReference')),
    finalizers: optional(listOf(() => str, '[]string')),
    managedFields: optional(listOf(() => managedFieldsEntry, '[]v1.ManagedFieldsEntry')),
  },
}

/**
 * `metadata` as Kubernetes' typed ObjectMeta would hold it: unknown, null and empty members gone. Wrong types are
 * `mismatches`; the rest of a partly wrong metadata is in `value` all the same.
 */
export function decodeObjectMeta(metadata: unknown): Decoded & { readonly value: ObjectMeta } {
  const { value, ...findings } = decodeShape(objectMeta, metadata)
  return { value: value ?? {}, ...findings }
}

const MAX_ANNOTATIONS = 256 * 1024
const MAX_MANAGER = 128

interface MetaRules {
  readonly path: string
  /** Checks a name, or with `isPrefix` the base of a generated one. */
  readonly checkName: (name: string, isPrefix: boolean) => readonly string[]
  readonly namespaced: boolean
}

/** Kubernetes' rules for metadata of any object, on creation. */
export function validateObjectMeta(meta: ObjectMeta, { path, checkName, namespaced }: MetaRules): FieldError[] {
  const errors: FieldError[] = []
  const at = (member: string): string => under(path, member)
  const complain = (member: string, value: unknown, reasons: readonly string[]): void => {
    for (const reason of reasons) errors.push(invalid(at(member), value, reason))
  }
  if (meta.generateName) complain('generateName', meta.generateName, checkName(meta.generateName, true))
  if (!meta.name) errors.push(required(at('name'), 'name or generateName is required'))
  else complain('name', meta.name, checkName(meta.name, false))
  if (namespaced) {
    if (!meta.namespace) errors.push(required(at('namespace')))
    else complain('namespace', meta.namespace, isDns1123Label(meta.namespace))
  } else if (meta.namespace) errors.push(forbidden(at('namespace'), 'not allowed on this type'))
  if ((meta.generation ?? 0) < 0) errors.push(invalid(at('generation'), meta.generation, 'must be greater than or equal to 0'))
  for (const [key, value] of Object.entries(meta.labels ?? {})) {
    complain('labels', key, isQualifiedName(key))
    complain('labels', value, isLabelValue(value))
  }
  let size = 0
  for (const [key, value] of Object.entries(meta.annotations ?? {})) {
    complain('annotations', key, isQualifiedName(key.toLowerCase()))
    size += utf8Length(key) + utf8Length(value)
  }
  if (size > MAX_ANNOTATIONS) errors.push(tooLong(at('annotations'), MAX_ANNOTATIONS))
  addErrors(
    errors,
    ownerErrors(meta, at('ownerReferences')),
    finalizerErrors(meta, at('finalizers')),
    managerErrors(meta, at('managedFields')),
  )
  return errors
}

/** Names of embedded resources only need to be one path segment: their kind is not known. */
export const checkSegmentName = (name: string, isPrefix: boolean): readonly string[] =>
  isPathSegmentName(name).filter((reason) => !isPrefix || !reason.startsWith('may not be'))

function ownerErrors(meta: ObjectMeta, path: string): FieldError[] {
  const errors: FieldError[] = []
  let controller = ''
  let isTold = false
  for (const owner of meta.ownerReferences ?? []) {
    const [group, version] = owner.apiVersion.includes('/') ? owner.apiVersion.split('/') : ['', owner.apiVersion]
    if (!version || owner.apiVersion.split('/').length > 2)
      errors.push(invalid(under(path, 'apiVersion'), owner.apiVersion, 'version must not be empty'))
    if (owner.kind === '') errors.push(invalid(under(path, 'kind'), owner.kind, 'must not be empty'))
    if (owner.name === '') errors.push(invalid(under(path, 'name'), owner.name, 'must not be empty'))
    if (owner.uid === '') errors.push(invalid(under(path, 'uid'), owner.uid, 'must not be empty'))
    if (group === '' && version === 'v1' && owner.kind === 'Event') {
      errors.push(invalid(path, owner, '/v1, Kind=Event is disallowed from being an owner'))
    }
    if (owner.controller !== true) continue
    const name = `${owner.kind}/${owner.name}`
    if (controller === '') controller = name
    else if (!isTold) {
      // It shows the whole list.
      isTold = true
      const why = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`
      errors.push(invalid(path, meta.ownerReferences, why))
    }
  }
  return errors
}

function finalizerErrors(meta: ObjectMeta, path: string): FieldError[] {
  const finalizers = meta.finalizers ?? []
  const errors = finalizers.flatMap((name) => isQualifiedName(name).map((reason) => invalid(path, name, reason)))
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'))
  }
  return errors
}

function managerErrors(meta: ObjectMeta, path: string): FieldError[] {
  const errors: FieldError[] = []
  for (const [index, entry] of (meta.managedFields ?? []).entries()) {
    const at = `${path}[${index}]`
    if (entry.operation !== 'Apply' && entry.operation !== 'Update') {
      errors.push(invalid(`${at}.operation`, entry.operation ?? '', 'must be `Apply` or `Update`'))
    }
    if (entry.fieldsType && entry.fieldsType !== 'FieldsV1')
      errors.push(invalid(`${at}.fieldsType`, entry.fieldsType, 'must be `FieldsV1`'))
    if ((entry.manager ?? '').length > MAX_MANAGER) errors.push(tooLong(`${at}.manager`, MAX_MANAGER))
    if ((entry.subresource ?? '').length > 256) errors.push(tooLong(`${at}.subresource`, 256))
  }
  return errors
}
