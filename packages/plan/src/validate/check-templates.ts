import { type GroupVersionKind, gvkOf, type KubeObject, type Schema } from '@weft/api'
import { checkClass, checkComposition, type ClassSchemas, type CompositionSchemas } from '@weft/controllers'
import type { KnownKinds } from '../known/known-kinds.ts'
import { asErrors, type Finding } from './problem.ts'

/** Checks what objects are made from: classes, binding rows and Compositions, with the functions that admission uses on the server. */
export function checkTemplates(object: KubeObject, kinds: KnownKinds): readonly Finding[] {
  const { group, kind } = gvkOf(object)
  if (kind !== 'Composition' || group !== 'apiextensions.crossplane.io') return asErrors(checkClass(object, classSchemas(kinds)))
  return checkComposition(object, compositionSchemas(kinds)).map(({ severity, error: { path, message } }) => ({ severity, path, message }))
}

const classSchemas = (kinds: KnownKinds): ClassSchemas => ({
  kind(kind) {
    const schema = kinds.schema(kind)
    const namespaced = kinds.isNamespaced(kind)
    if (schema === undefined || namespaced === undefined) return undefined
    return { namespaced, validate: (base) => schema.validate(kinds.settle(base).object) }
  },
})

const compositionSchemas = (kinds: KnownKinds): CompositionSchemas => ({
  kind(kind) {
    const namespaced = kinds.isNamespaced(kind)
    return namespaced === undefined ? builtIn(kind) : { namespaced, schema: rawSchema(kinds, kind) }
  },
  definition(kind) {
    const found = kinds.composite(kind)
    return found && { namespaced: found.type.scope === 'Namespaced', connectionDetails: found.definition.spec.connectionDetails }
  },
})

const rawSchema = (kinds: KnownKinds, kind: GroupVersionKind): Schema | undefined => kinds.schema(kind)?.schema

/** Kinds of Kubernetes that are commonly composed; of the others nothing is said. */
const CLUSTER_SCOPED = new Set([
  'Namespace',
  'PersistentVolume',
  'Node',
  'ClusterRole',
  'ClusterRoleBinding',
  'StorageClass',
  'CustomResourceDefinition',
])

function builtIn({ group, kind }: GroupVersionKind): { readonly namespaced: boolean } | undefined {
  return group.includes('.') && !group.endsWith('.k8s.io') ? undefined : { namespaced: !CLUSTER_SCOPED.has(kind) }
}
