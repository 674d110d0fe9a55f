import { childPath, deepEqual, field, type FieldError, indexPath, isDns1123Label, isLabelValue, isQualifiedName, type KubeObject, type ObjectMeta } from '@weft/api'
import type { ResourceType } from './resource-type.ts'

/** The rules that metadata obeys whatever the kind, worded as Kubernetes words them. */
const MAX_ANNOTATION_BYTES = 256 * 1024
const PROPAGATION_FINALIZERS = new Set(['orphan', 'foregroundDeletion', 'kubernetes'])

export function validateMetadata(type: ResourceType, { metadata }: KubeObject): FieldError[] {
  const errors: FieldError[] = []
  const path = 'metadata'
  if (metadata.generateName !== undefined && metadata.generateName !== '') {
    const sample = type.strategy.nameRule(metadata.generateName.replace(/[-.]$/, '') || 'a')
    errors.push(...sample.map((why) => field.invalid('metadata.generateName', metadata.generateName, why)))
  }
  if (metadata.name === undefined || metadata.name === '') errors.push(field.required('metadata.name', 'name or generateName is required'))
  else errors.push(...type.strategy.nameRule(metadata.name).map((why) => field.invalid('metadata.name', metadata.name, why)))
  if (type.namespaced) {
    if (!metadata.namespace) errors.push(field.required('metadata.namespace'))
    else errors.push(...isDns1123Label(metadata.namespace).map((why) => field.invalid('metadata.namespace', metadata.namespace, why)))
  } else if (metadata.namespace) errors.push(field.forbidden('metadata.namespace', 'not allowed on this type'))
  errors.push(...validateLabels(metadata.labels, `${path}.labels`), ...validateAnnotations(metadata.annotations, `${path}.annotations`))
  errors.push(...validateOwners(metadata), ...validateFinalizers(type, metadata))
  return errors
}

export function validateLabels(labels: ObjectMeta['labels'], path: string): FieldError[] {
  const errors: FieldError[] = []
  for (const [key, value] of Object.entries(labels ?? {})) {
    errors.push(...isQualifiedName(key).map((why) => field.invalid(path, key, why)))
    errors.push(...isLabelValue(value).map((why) => field.invalid(path, value, why)))
  }
  return errors
}

function validateAnnotations(annotations: ObjectMeta['annotations'], path: string): FieldError[] {
  const errors: FieldError[] = []
  let size = 0
  for (const [key, value] of Object.entries(annotations ?? {})) {
    errors.push(...isQualifiedName(key.toLowerCase()).map((why) => field.invalid(path, key, why)))
    size += Buffer.byteLength(key) + Buffer.byteLength(value)
  }
  if (size > MAX_ANNOTATION_BYTES) errors.push(field.tooLong(path, MAX_ANNOTATION_BYTES))
  return errors
}

function validateOwners(metadata: ObjectMeta): FieldError[] {
  const errors: FieldError[] = []
  let controller: string | undefined
  metadata.ownerReferences?.forEach((owner, i) => {
    const path = indexPath('metadata.ownerReferences', i)
    if (!owner.apiVersion) errors.push(field.invalid(childPath(path, 'apiVersion'), owner.apiVersion ?? '', 'version must not be empty'))
    if (!owner.kind) errors.push(field.invalid(childPath(path, 'kind'), '', 'must not be empty'))
    if (!owner.name) errors.push(field.invalid(childPath(path, 'name'), '', 'must not be empty'))
    if (!owner.uid) errors.push(field.invalid(childPath(path, 'uid'), '', 'must not be empty'))
    if (owner.controller !== true) return
    if (controller !== undefined)
      errors.push(
        field.invalid(
          'metadata.ownerReferences',
          metadata.ownerReferences,
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${owner.kind}/${owner.name}`,
        ),
      )
    controller = `${owner.kind}/${owner.name}`
  })
  return errors
}

function validateFinalizers({ custom }: ResourceType, { finalizers = [] }: ObjectMeta): FieldError[] {
  const errors: FieldError[] = []
  finalizers.forEach((finalizer, i) => {
    const path = indexPath('metadata.finalizers', i)
    errors.push(...isQualifiedName(finalizer).map((why) => field.invalid(path, finalizer, why)))
    // Only Kubernetes' own kinds insist on a domain; custom resources have finalizers of all sorts.
    if (!custom && !finalizer.includes('/') && isQualifiedName(finalizer).length === 0 && !PROPAGATION_FINALIZERS.has(finalizer))
      errors.push(field.invalid(path, finalizer, 'name is neither a standard finalizer name nor is it fully qualified'))
  })
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion'))
    errors.push(field.invalid('metadata.finalizers', finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'))
  return errors
}

export function validateMetadataUpdate(type: ResourceType, next: KubeObject, old: KubeObject): FieldError[] {
  const errors: FieldError[] = []
  const [a, b] = [next.metadata, old.metadata]
  for (const name of ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
    if (!deepEqual(a[name], b[name])) errors.push(field.invalid(`metadata.${name}`, a[name] ?? '', 'field is immutable'))
  }
  if (b.deletionTimestamp !== undefined) {
    const added = (a.finalizers ?? []).filter((f) => !(b.finalizers ?? []).includes(f))
    if (added.length > 0)
      errors.push(
        field.forbidden('metadata.finalizers', `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((f) => JSON.stringify(f)).join(', ')}}`),
      )
  }
  errors.push(...validateMetadata(type, next))
  return errors
}
