import { formatGroupKind, gvkOf, isDns1123Subdomain, type KubeObject } from '@weft/api'
import { decodeObjectMeta, validateObjectMeta } from '@weft/schema'
import type { KnownKinds } from '../known/known-kinds.ts'
import { asError, asErrors, type Finding } from './problem.ts'

/** Checks an object against its kind: that there is one, its version and scope, its metadata, its schema and the rules in it (CEL). */
export function checkObject(object: KubeObject, kinds: KnownKinds): readonly Finding[] {
  const { group, version, kind } = gvkOf(object)
  const crd = kinds.find({ group, kind })
  const isNamespaced = crd === undefined ? (object.metadata.namespace ?? '') !== '' : crd.spec.scope === 'Namespaced'
  const metadata = checkMetadata(object, isNamespaced)
  if (crd === undefined) {
    // Kubernetes' own kinds have no definition; the server checks them.
    if (!group.includes('.') || group.endsWith('.k8s.io')) return metadata
    // The metadata of a package is never applied; building the package checks it.
    if (group === 'meta.pkg.crossplane.io') return metadata
    const name = formatGroupKind({ group, kind })
    return [...metadata, asError('kind', `nothing defines ${name}: add its definition to the files, or correct its apiVersion and kind`)]
  }
  const served = crd.spec.versions.filter((each) => each.served).map(({ name }) => name)
  if (served.includes(version)) return [...metadata, ...checkSchema(object, kinds)]
  return [...metadata, asError('apiVersion', `${formatGroupKind({ group, kind })} has no version ${version}: it has ${served.join(', ')}`)]
}

function checkSchema(object: KubeObject, kinds: KnownKinds): readonly Finding[] {
  const schema = kinds.schema(gvkOf(object))
  if (schema === undefined) return []
  const { object: complete, dropped } = kinds.settle(object)
  return [...dropped.map((path) => asError(path, `there is no such field in ${object.kind}`)), ...asErrors(schema.validate(complete))]
}

function checkMetadata(object: KubeObject, namespaced: boolean): readonly Finding[] {
  const { value, mismatches, unknown } = decodeObjectMeta(object.metadata)
  if (mismatches.length > 0) return mismatches.map(({ path, message }) => asError(under(path), message))
  // Whoever applies it fills in the namespace.
  const placed = namespaced && (value.namespace ?? '') === '' ? { ...value, namespace: 'default' } : value
  const errors = validateObjectMeta(placed, { path: 'metadata', checkName: (name) => isDns1123Subdomain(name), namespaced })
  return [...unknown.map((path) => asError(under(path), 'there is no such field in metadata')), ...asErrors(errors)]
}

const under = (path: string): string => (path === '' ? 'metadata' : `metadata.${path}`)
