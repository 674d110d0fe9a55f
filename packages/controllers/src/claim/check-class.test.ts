import { field, type FieldError, type KubeObject, type Schema } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { checkClass, type ClassSchemas } from './check-class.ts'

const TYPED: Schema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { size: { type: 'string' }, classRef: { type: 'object' }, resourceRef: { type: 'object' } } },
  },
}
const CLOSED: Schema = { type: 'object', properties: { spec: { type: 'object', properties: {} } } }
const schemas: ClassSchemas = {
  kind: ({ kind }) =>
    kind === 'Known'
      ? {
          namespaced: false,
          nature: 'managed',
          validate: (object): readonly FieldError[] => (object['spec'] === undefined ? [field.required('spec')] : []),
        }
      : kind === 'Namespaced'
        ? { namespaced: true, nature: 'other', validate: () => [] }
        : kind === 'ProviderConfig'
          ? { namespaced: false, nature: 'other', validate: () => [] }
          : kind === 'Typed'
            ? { namespaced: true, nature: 'other', schema: TYPED, validate: () => [] }
            : kind === 'Certificate'
              ? { namespaced: true, nature: 'other', schema: CLOSED, validate: () => [] }
              : undefined,
}
const resourceClass = (resource: object, claim = 'Queue'): KubeObject => ({
  apiVersion: 'infrastructure.crossplane.io/v1alpha1',
  kind: 'ResourceClass',
  metadata: { name: 'c' },
  spec: { claim: { apiVersion: 'example.org/v1', kind: claim }, resource },
})
const base = (kind: string, more: object = {}): object => ({ apiVersion: 'example.org/v1', kind, ...more })

describe('classes at admission', () => {
  test.each<[string, KubeObject, readonly string[]]>([
    ['a good one', resourceClass({ base: base('Known', { spec: {} }) }), []],
    [
      'F6: a base that is not valid, even where a patch would fill it',
      resourceClass({ base: base('Known'), patches: [{ fromFieldPath: 'spec.a', toFieldPath: 'spec.a' }] }),
      ['spec.resource.base.spec'],
    ],
    [
      'a patch from an environment, which nobody has',
      resourceClass({
        base: base('Known', { spec: {} }),
        patches: [{ type: 'FromEnvironmentFieldPath', fromFieldPath: 'a', toFieldPath: 'spec.a' }],
      }),
      ['spec.resource.patches[0].type'],
    ],
    ['a kind that is not served is not known to be wrong', resourceClass({ base: base('Later') }), []],
    ['a namespaced kind', resourceClass({ base: base('Namespaced') }), ['spec.resource.base']],
    [
      'F6: a kind of Kubernetes itself, whether or not it is known',
      resourceClass({ base: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding' } }),
      ['spec.resource.base'],
    ],
    [
      'F6: a cluster-scoped kind that is not managed',
      resourceClass({ base: base('ProviderConfig', { spec: {} }) }),
      ['spec.resource.base'],
    ],
    [
      'a row for a kind that is not managed',
      {
        apiVersion: 'weft.dev/v1alpha1',
        kind: 'ResourceBindingDefinition',
        metadata: { name: 'r' },
        spec: {
          claim: { group: 'example.org', kind: 'Queue' },
          class: { group: 'example.org', kind: 'QueueClass' },
          managed: { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRoleBinding' },
        },
      },
      ['spec.managed'],
    ],
    ['F20: an opaque template', resourceClass({ template: {} }), ['spec.resource.template']],
    [
      'a bad field path',
      resourceClass({ base: base('Known', { spec: {} }), patches: [{ fromFieldPath: 'spec[', toFieldPath: 'a' }] }),
      ['spec.resource.patches[0].fromFieldPath'],
    ],
    [
      'an unknown transform',
      resourceClass({ base: base('Later'), patches: [{ fromFieldPath: 'a', toFieldPath: 'b', transforms: [{ type: 'magic' }] }] }),
      ['spec.resource.patches[0].transforms[0].type'],
    ],
    [
      'a group as base',
      resourceClass({ base: { apiVersion: 'aggregation.crossplane.io/v1alpha1', kind: 'AggregateResource' } }),
      ['spec.resource.base'],
    ],
    [
      'a class as base',
      resourceClass({ base: { apiVersion: 'infrastructure.crossplane.io/v1alpha1', kind: 'ResourceClass' } }),
      ['spec.resource.base'],
    ],
    ['a cluster-scoped kind as claim', resourceClass({ base: base('Later') }, 'Known'), ['spec.claim']],
    ['a kind as claim that keeps no references', resourceClass({ base: base('Later') }, 'Certificate'), ['spec.claim']],
    [
      'a field that the claim has, and one that it lacks',
      resourceClass(
        {
          base: base('Later'),
          patches: [
            { fromClaimFieldPath: 'spec.size', toResourceFieldPath: 'spec.size' },
            { fromClaimFieldPath: 'spec.sise', toResourceFieldPath: 'spec.size' },
          ],
        },
        'Typed',
      ),
      ['spec.resource.patches[1].fromFieldPath'],
    ],
    [
      'a row about the machinery',
      {
        apiVersion: 'weft.dev/v1alpha1',
        kind: 'ResourceBindingDefinition',
        metadata: { name: 'r' },
        spec: {
          claim: { group: 'g', kind: 'C' },
          class: { group: 'g', kind: 'K' },
          managed: { group: 'core.crossplane.io', version: 'v1alpha1', kind: 'CompositeResource' },
        },
      },
      ['spec'],
    ],
    [
      'a row that cannot be read',
      { apiVersion: 'weft.dev/v1alpha1', kind: 'ResourceBindingDefinition', metadata: { name: 'r' }, spec: {} },
      ['spec'],
    ],
    ['anything else', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } }, []],
  ])('%s', (_reason, object, paths) => {
    expect(checkClass(object, schemas).map(({ path }) => path)).toEqual(paths)
  })
})
