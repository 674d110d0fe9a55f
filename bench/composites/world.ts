import type { KubeObject } from '@weft/api'
import type { Subject } from '../plane/load.ts'

/** Seed 002: a kind of infrastructure composed of three managed resources, with patches and a contract of connection details. */
export const MEMBERS = 3
const NAMESPACE = 'crossplane-system'
const DEFINITIONS = 'apiextensions.crossplane.io/v1alpha1'

const member = (i: number): object => ({
  base: {
    apiVersion: 'nop.crossplane.io/v1alpha1',
    kind: 'NopResource',
    spec: {
      writeConnectionSecretToRef: { namespace: NAMESPACE },
      forProvider: { connectionDetails: [{ name: 'detail', value: `of member ${i}` }], fields: { position: i } },
    },
  },
  patches: [
    { fromFieldPath: 'spec.size', toFieldPath: 'spec.forProvider.fields.size' },
    { fromFieldPath: 'metadata.name', toFieldPath: 'spec.forProvider.fields.of' },
    {
      fromFieldPath: 'metadata.uid',
      toFieldPath: 'spec.writeConnectionSecretToRef.name',
      transforms: [{ type: 'string', string: { fmt: `%s-${i}` } }],
    },
  ],
  connectionDetails: [{ name: `detail-${i}`, fromConnectionSecretKey: 'detail' }],
})

export const definitions: readonly KubeObject[] = [
  {
    apiVersion: DEFINITIONS,
    kind: 'InfrastructureDefinition',
    metadata: { name: 'benchcomposites.bench.example.org' },
    spec: {
      crdSpecTemplate: {
        group: 'bench.example.org',
        version: 'v1alpha1',
        names: { kind: 'BenchComposite', plural: 'benchcomposites' },
        validation: { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' } } } },
      },
      connectionDetails: [1, 2, 3].map((i) => `detail-${i}`),
    },
  },
  {
    apiVersion: DEFINITIONS,
    kind: 'Composition',
    metadata: { name: 'bench', labels: { design: 'bench' } },
    spec: { from: { apiVersion: 'bench.example.org/v1alpha1', kind: 'BenchComposite' }, to: [member(1), member(2), member(3)] },
  },
]

export const composites: Subject = {
  kind: { group: 'bench.example.org', kind: 'BenchComposite' },
  object: (name) => ({
    apiVersion: 'bench.example.org/v1alpha1',
    kind: 'BenchComposite',
    metadata: { name },
    spec: {
      size: 1,
      infrastructure: {
        compositionSelector: { matchLabels: { design: 'bench' } },
        writeConnectionSecretToRef: { namespace: NAMESPACE, name },
      },
    },
  }),
}

/** Names a composite when all of its members have been seen to report a size: to its author the edit is done then. */
export function allMembersAt(size: number): (object: KubeObject) => string | undefined {
  const done = new Map<string, Set<string>>()
  return (object) => {
    const { atProvider } = (object['status'] ?? {}) as { atProvider?: { fields?: { of?: string; size?: number } } }
    const { of = '', size: seen } = atProvider?.fields ?? {}
    if (seen !== size) return undefined
    const members = done.get(of) ?? new Set()
    done.set(of, members.add(object.metadata.name ?? ''))
    return members.size === MEMBERS ? of : undefined
  }
}
