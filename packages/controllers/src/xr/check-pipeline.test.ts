import { formatFieldErrors, type KubeObject, type Schema } from '@weft/api'
import { describe, expect, test } from 'vitest'
import type { CompositionSchemas } from '../composite/check-composition.ts'
import { checkAnyComposition } from './check-pipeline.ts'

const XR: Schema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { size: { type: 'integer' }, region: { type: 'string' } } },
    status: { type: 'object', properties: { url: { type: 'string' } } },
  },
}
const DISK: Schema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { gigabytes: { type: 'integer' }, zone: { type: 'string' } } },
    status: { type: 'object', properties: { url: { type: 'string' } } },
  },
}
const schemas: CompositionSchemas = {
  kind: ({ kind }) =>
    kind === 'XR'
      ? { schema: XR, namespaced: false, nature: 'composite' }
      : kind === 'Disk'
        ? { schema: DISK, namespaced: false, nature: 'managed' }
        : kind === 'Shop' || kind === 'Box'
          ? { namespaced: true, nature: 'other' }
          : undefined,
  definition: () => undefined,
  isComing: ({ kind }) => kind === 'Coming',
}

const pipeline = (resource: object, input: object = {}): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'Composition',
  metadata: { name: 'c' },
  spec: {
    compositeTypeRef: { apiVersion: 'example.org/v1', kind: 'XR' },
    mode: 'Pipeline',
    pipeline: [
      {
        step: 'other',
        functionRef: { name: 'other' },
        input: { apiVersion: 'other.example.org/v1', kind: 'Resources', resources: [{ base: { kind: 'Nobody' } }] },
      },
      {
        step: 'patch',
        functionRef: { name: 'function-patch-and-transform' },
        input: {
          apiVersion: 'pt.fn.crossplane.io/v1beta1',
          kind: 'Resources',
          ...input,
          resources: [{ name: 'disk', base: { apiVersion: 'disks.example.org/v1', kind: 'Disk' }, ...resource }],
        },
      },
    ],
  },
})
/** The same of a kind that is in namespaces. */
const inNamespace = (composition: KubeObject): KubeObject => ({
  ...composition,
  spec: { ...(composition['spec'] as object), compositeTypeRef: { apiVersion: 'example.org/v1', kind: 'Shop' } },
})
const tell = (composition: KubeObject): string =>
  checkAnyComposition(composition, schemas)
    .map(({ severity, error }) => `${severity} ${formatFieldErrors([error])}`)
    .join('\n')
const patch = (...patches: readonly object[]): string => tell(pipeline({ patches }))
const AT = String.raw`^warning spec\.pipeline\[1\]\.input\.resources\[0\]`

describe('checking a pipeline when it is applied', () => {
  test.each<[string, string, RegExp]>([
    [
      'a kind that nobody serves',
      tell(pipeline({ base: { apiVersion: 'apps/v1', kind: 'Deployment' } })),
      new RegExp(`${AT}\\.base: .*no kind Deployment of apps/v1 is served here`),
    ],
    [
      'a field of the base that its kind does not have',
      tell(pipeline({ base: { apiVersion: 'disks.example.org/v1', kind: 'Disk', spec: { giga: 1 } } })),
      new RegExp(`${AT}\\.base\\.spec\\.giga`),
    ],
    [
      'a path that the composite does not have',
      patch({ type: 'FromCompositeFieldPath', fromFieldPath: 'spec.sise', toFieldPath: 'spec.gigabytes' }),
      new RegExp(`${AT}\\.patches\\[0\\]\\.fromFieldPath: .*no field spec\\.sise`),
    ],
    [
      'a status that its definition does not have',
      patch({ type: 'ToCompositeFieldPath', fromFieldPath: 'status.url', toFieldPath: 'status.ulr' }),
      /no field status\.ulr/,
    ],
    [
      'a type that does not fit',
      patch({ fromFieldPath: 'spec.region', toFieldPath: 'spec.gigabytes' }),
      /is integer, but the patch writes string; add a transform/,
    ],
    [
      'what a patch set writes',
      tell(
        pipeline(
          { patches: [{ type: 'PatchSet', patchSetName: 'all' }] },
          { patchSets: [{ name: 'all', patches: [{ fromFieldPath: 'spec.region', toFieldPath: 'spec.place' }] }] },
        ),
      ),
      /no field spec\.place/,
    ],
    [
      'K61: a cluster-scoped kind for a composite in a namespace',
      tell(inNamespace(pipeline({}))),
      new RegExp(`${AT}\\.base: .*Disk is cluster-scoped: a Shop is namespaced`),
    ],
  ])('warns of %s', (_what, told, expected) => expect(told).toMatch(expected))

  test.each<[string, string]>([
    [
      'what fits',
      patch(
        { fromFieldPath: 'spec.size', toFieldPath: 'spec.gigabytes' },
        { type: 'FromCompositeFieldPath', fromFieldPath: 'metadata.uid', toFieldPath: 'metadata.labels[a]' },
      ),
    ],
    [
      'environments, whose fields nobody knows',
      patch({ type: 'FromEnvironmentFieldPath', fromFieldPath: 'tier', toFieldPath: 'spec.zone' }),
    ],
    ['a kind that is defined and about to be served', tell(pipeline({ base: { apiVersion: 'example.org/v1', kind: 'Coming' } }))],
    [
      'a namespaced kind, whoever composes it',
      tell(inNamespace(pipeline({ base: { apiVersion: 'example.org/v1', kind: 'Box' } }))) +
        tell(pipeline({ base: { apiVersion: 'example.org/v1', kind: 'Box' } })),
    ],
    ['what only the function can read', patch({ type: 'SomethingNew' })],
    ['a base that is none', tell(pipeline({ base: 'text' }))],
  ])('says nothing of %s', (_what, told) => expect(told).toBe(''))
})
