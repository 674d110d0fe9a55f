import type { Schema, ValidationRule } from '../schema.ts'
import { conditionColumn, defineKind, type KindDefinition, object, type PrinterColumn, statusOf, text } from './definition.ts'

/** What keeps objects from being deleted while something needs them (K137, K138). */
const flag = (description: string): Schema => ({ type: 'boolean', description })

const REF_OR_SELECTOR: ValidationRule = {
  message: 'either a resource reference or a resource selector should be set.',
  rule: 'has(self.resourceRef) || has(self.resourceSelector)',
}

const resource = (description: string, { namespace }: { readonly namespace: boolean }): Schema => ({
  ...object(description, {
    apiVersion: text('Its API version.'),
    kind: text('Its kind.'),
    resourceRef: object(
      'The name of the object.',
      { name: text('Its name.'), ...(namespace && { namespace: text('Namespace of the object. Defaults to that of the Usage.') }) },
      ['name'],
    ),
    resourceSelector: object('Selects an object. The first match is used, and does not change afterwards.', {
      matchLabels: { type: 'object', description: 'Labels that the object must have.', additionalProperties: { type: 'string' } },
      matchControllerRef: flag('Whether the object must have the same controller as this one.'),
      ...(namespace && { namespace: text('Namespace of the object. Defaults to that of the Usage.') }),
    }),
  }),
  'x-kubernetes-validations': [REF_OR_SELECTOR],
})

const BY_OR_REASON: ValidationRule = {
  message: 'either "spec.by" or "spec.reason" must be specified.',
  rule: 'has(self.by) || has(self.reason)',
}
const ELSEWHERE_NEEDS_BY: ValidationRule = {
  message: 'cross-namespace "spec.of" is not allowed without "spec.by" resource.',
  rule: 'has(self.by) || (!has(self.of.resourceRef) || !has(self.of.resourceRef.__namespace__)) && (!has(self.of.resourceSelector) || !has(self.of.resourceSelector.__namespace__))',
}

const schemaOf = (description: string, { namespaced }: { readonly namespaced: boolean }): Schema => ({
  description,
  required: ['spec'],
  properties: {
    spec: {
      ...object(
        'The object that is in use, and why.',
        {
          of: resource('The object that is in use. It cannot be deleted.', { namespace: namespaced }),
          by: resource('The object that uses it. When this object is deleted, the usage is deleted too.', { namespace: false }),
          reason: text('Why the object must not be deleted. Shown to anybody who tries to delete it.'),
          replayDeletion: flag(
            'Whether the object is deleted once it is no longer in use, if somebody tried to delete it in the meantime.',
          ),
        },
        ['of'],
      ),
      'x-kubernetes-validations': [BY_OR_REASON, ...(namespaced ? [ELSEWHERE_NEEDS_BY] : [])],
    },
    status: statusOf(),
  },
})

const columns: readonly PrinterColumn[] = [
  { name: 'Details', type: 'string', jsonPath: '.metadata.annotations.crossplane\\.io/usage-details' },
  conditionColumn('Ready'),
]

const DEPRECATED = 'apiextensions.crossplane.io Usage is deprecated; migrate to protection.crossplane.io Usage or ClusterUsage'

export const usageDefinitions: readonly KindDefinition[] = [
  defineKind({
    group: 'protection.crossplane.io',
    kind: 'Usage',
    plural: 'usages',
    scope: 'Namespaced',
    categories: ['crossplane'],
    versions: ['v1beta1'],
    columns,
    schema: schemaOf('Marks an object as in use. The object cannot be deleted while the usage exists.', { namespaced: true }),
  }),
  defineKind({
    group: 'protection.crossplane.io',
    kind: 'ClusterUsage',
    plural: 'clusterusages',
    scope: 'Cluster',
    categories: ['crossplane'],
    versions: ['v1beta1'],
    columns,
    schema: schemaOf('Marks a cluster-scoped object as in use. The object cannot be deleted while the usage exists.', {
      namespaced: false,
    }),
  }),
  defineKind({
    group: 'apiextensions.crossplane.io',
    kind: 'Usage',
    plural: 'usages',
    scope: 'Cluster',
    categories: ['crossplane'],
    versions: [
      { name: 'v1alpha1', deprecationWarning: DEPRECATED },
      { name: 'v1beta1', deprecationWarning: DEPRECATED },
    ],
    columns,
    schema: schemaOf('The older form of ClusterUsage.', { namespaced: false }),
  }),
]
