import {
  addErrors,
  childPath,
  deepEqual,
  field,
  type FieldError,
  indexPath,
  isDns1123Label,
  isLabelValue,
  isPathSegmentName,
  isQualifiedName,
  MAX_FIELD_ERRORS,
  type KubeObject,
  type ObjectMeta,
} from '@weft/api'
import type { NameRule, ResourceType } from './resource-type.ts'

/** The rules that metadata obeys whatever the kind, worded as Kubernetes words them. */
const MAX_ANNOTATION_BYTES = 256 * 1024
/** Groups whose kinds insist on qualified finalizers. Custom resources are only warned. */
const QUALIFYING_GROUPS: ReadonlySet<string> = new Set([
  '',
  'rbac.authorization.k8s.io',
  'certificates.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  ...['apps', 'autoscaling', 'batch', 'discovery.k8s.io', 'networking.k8s.io', 'node.k8s.io', 'scheduling.k8s.io', 'storage.k8s.io'],
])
const STANDARD_FINALIZERS = new Set(['orphan', 'foregroundDeletion', 'kubernetes'])

export function validateMetadata(type: ResourceType, { metadata }: KubeObject, nameRule: NameRule = type.strategy.nameRule): FieldError[] {
  const errors: FieldError[] = []
  const path = 'metadata'
  if (metadata.generateName !== undefined && metadata.generateName !== '') {
    const sample = nameRule(maskTrailingDash(metadata.generateName))
    addErrors(
      errors,
      sample.map((why) => field.invalid('metadata.generateName', metadata.generateName, why)),
    )
  }
  if (metadata.name === undefined || metadata.name === '') errors.push(field.required('metadata.name', 'name or generateName is required'))
  else
    addErrors(
      errors,
      nameRule(metadata.name).map((why) => field.invalid('metadata.name', metadata.name, why)),
    )
  if (type.namespaced) {
    if (!metadata.namespace) errors.push(field.required('metadata.namespace'))
    else
      addErrors(
        errors,
        isDns1123Label(metadata.namespace).map((why) => field.invalid('metadata.namespace', metadata.namespace, why)),
      )
  } else if (metadata.namespace) errors.push(field.forbidden('metadata.namespace', 'not allowed on this type'))
  addErrors(errors, validateLabels(metadata.labels, `${path}.labels`), validateAnnotations(metadata.annotations, `${path}.annotations`))
  addErrors(errors, validateOwners(metadata), validateFinalizers(type, metadata))
  return errors
}

/** Something random follows a trailing dash. */
const maskTrailingDash = (name: string): string => (name.length > 1 && name.endsWith('-') ? `${name.slice(0, -1)}a` : name)

export function validateLabels(labels: ObjectMeta['labels'], path: string): FieldError[] {
  const errors: FieldError[] = []
  for (const [key, value] of Object.entries(labels ?? {})) {
    if (errors.length >= MAX_FIELD_ERRORS) break
    addErrors(
      errors,
      isQualifiedName(key).map((why) => field.invalid(path, key, why)),
    )
    addErrors(
      errors,
      isLabelValue(value).map((why) => field.invalid(path, value, why)),
    )
  }
  return errors
}

function validateAnnotations(annotations: ObjectMeta['annotations'], path: string): FieldError[] {
  const errors: FieldError[] = []
  let size = 0
  for (const [key, value] of Object.entries(annotations ?? {})) {
    if (errors.length >= MAX_FIELD_ERRORS) break
    addErrors(
      errors,
      isQualifiedName(key.toLowerCase()).map((why) => field.invalid(path, key, why)),
    )
    size += Buffer.byteLength(key) + Buffer.byteLength(value)
  }
  if (size > MAX_ANNOTATION_BYTES) errors.push(field.tooLong(path, MAX_ANNOTATION_BYTES))
  return errors
}

function validateOwners(metadata: ObjectMeta): FieldError[] {
  const errors: FieldError[] = []
  const path = 'metadata.ownerReferences'
  let controller: string | undefined
  let isTold = false
  for (const owner of metadata.ownerReferences ?? []) {
    const { apiVersion = '', kind = '', name = '', uid = '' } = owner
    if (!hasVersion(apiVersion)) errors.push(field.invalid(childPath(path, 'apiVersion'), apiVersion, 'version must not be empty'))
    if (kind === '') errors.push(field.invalid(childPath(path, 'kind'), '', 'must not be empty'))
    if (name === '') errors.push(field.invalid(childPath(path, 'name'), '', 'must not be empty'))
    if (uid === '') errors.push(field.invalid(childPath(path, 'uid'), '', 'must not be empty'))
    if (apiVersion === 'v1' && kind === 'Event')
      errors.push(field.invalid(path, owner, '/v1, Kind=Event is disallowed from being an owner'))
    if (owner.controller !== true) continue
    // Told once: it shows the whole list, and there may be as many as a request can hold.
    if (controller !== undefined && !isTold)
      errors.push(
        field.invalid(
          path,
          metadata.ownerReferences,
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${kind}/${name}`,
        ),
      )
    if (controller !== undefined) isTold = true
    else controller = `${kind}/${name}`
  }
  return errors
}

const hasVersion = (apiVersion: string): boolean => {
  const parts = apiVersion.split('/')
  return parts.length <= 2 && parts.at(-1) !== ''
}

function validateFinalizers(type: ResourceType, { finalizers = [] }: ObjectMeta): FieldError[] {
  const path = 'metadata.finalizers'
  const errors = finalizers.flatMap((finalizer) => isQualifiedName(finalizer).map((why) => field.invalid(path, finalizer, why)))
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion'))
    errors.push(field.invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'))
  if (QUALIFYING_GROUPS.has(type.group))
    finalizers.forEach((finalizer, i) => {
      if (!finalizer.includes('/') && !STANDARD_FINALIZERS.has(finalizer))
        errors.push(field.invalid(indexPath(path, i), finalizer, 'name is neither a standard finalizer name nor is it fully qualified'))
    })
  return errors
}

export function validateMetadataUpdate(type: ResourceType, next: KubeObject, old: KubeObject): FieldError[] {
  const errors: FieldError[] = validateMetadata(type, next, isPathSegmentName)
  const [a, b] = [next.metadata, old.metadata]
  if (b.deletionTimestamp !== undefined) {
    const before = new Set(b.finalizers)
    const added = (a.finalizers ?? []).filter((f) => !before.has(f)).sort()
    if (added.length > 0)
      errors.push(
        field.forbidden(
          'metadata.finalizers',
          `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((f) => JSON.stringify(f)).join(', ')}}`,
        ),
      )
  }
  for (const name of ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
    if (!deepEqual(a[name], b[name])) errors.push(field.invalid(`metadata.${name}`, a[name] ?? '', 'field is immutable'))
  }
  return errors
}
