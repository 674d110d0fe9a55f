import { type GroupVersionKind, gvkOf, type KubeObject, type Schema } from '@weft/api'
import {
  checkClass,
  checkAnyComposition,
  type ClassSchemas,
  type CompositionSchemas,
  type Nature,
  natureOf,
  serviceAccountOf,
} from '@weft/controllers'
import type { KnownKinds } from '../known/known-kinds.ts'
import { asErrors, type Finding } from './problem.ts'

/** Checks what objects are made from: classes, binding rows and Compositions, with the functions that admission uses on the server. */
export function checkTemplates(object: KubeObject, kinds: KnownKinds): readonly Finding[] {
  const { group, kind } = gvkOf(object)
  if (kind !== 'Composition' || group !== 'apiextensions.crossplane.io') return asErrors(checkClass(object, classSchemas(kinds)))
  return checkAnyComposition(object, compositionSchemas(kinds)).map(({ severity, error: { path, message } }) => ({
    severity,
    path,
    message,
  }))
}

const classSchemas = (kinds: KnownKinds): ClassSchemas => ({
  kind(kind) {
    const schema = kinds.schema(kind)
    const namespaced = kinds.isNamespaced(kind)
    if (schema === undefined || namespaced === undefined) return undefined
    return {
      namespaced,
      nature: natureIn(kinds, kind),
      schema: rawSchema(kinds, kind),
      validate: (base) => schema.validate(kinds.settle(base).object),
    }
  },
})

const compositionSchemas = (kinds: KnownKinds): CompositionSchemas => ({
  kind(kind) {
    const namespaced = kinds.isNamespaced(kind)
    if (namespaced === undefined) return builtIn(kind)
    const validate = (base: KubeObject) => kinds.schema(kind)?.validate(kinds.settle(base).object) ?? []
    return { namespaced, nature: natureIn(kinds, kind), schema: rawSchema(kinds, kind), validate }
  },
  definition(kind) {
    const found = kinds.composite(kind)
    if (found === undefined) return undefined
    const { definition, type } = found
    const { connectionDetails } = definition.spec
    return { namespaced: type.scope === 'Namespaced', account: serviceAccountOf(definition) !== undefined, connectionDetails }
  },
})

function natureIn(kinds: KnownKinds, kind: GroupVersionKind): Nature {
  const crd = kinds.find(kind)
  return crd === undefined ? 'other' : natureOf(crd)
}

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

function builtIn({ group, kind }: GroupVersionKind): { readonly namespaced: boolean; readonly nature: 'other' } | undefined {
  return group.includes('.') && !group.endsWith('.k8s.io') ? undefined : { namespaced: !CLUSTER_SCOPED.has(kind), nature: 'other' }
}
