import type { KubeObject } from '@weft/api'
import type { Subject } from '../plane/load.ts'

/** Members of a composite. */
export const MEMBERS = 3
const GROUP = 'bench.example.org'
const DEFINITIONS = 'apiextensions.crossplane.io/v1alpha1'

const member = (position: number): object => ({
  base: { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', spec: { forProvider: { fields: { position } } } },
  patches: [{ fromFieldPath: 'spec.size', toFieldPath: 'spec.forProvider.fields.size' }],
})

/** A kind of composite, and the kind by which people in a namespace ask for one. No connection details: as many secrets again would measure secrets. */
export const platform: readonly KubeObject[] = [
  {
    apiVersion: DEFINITIONS,
    kind: 'InfrastructureDefinition',
    metadata: { name: `stacks.${GROUP}` },
    spec: {
      crdSpecTemplate: {
        group: GROUP,
        version: 'v1alpha1',
        names: { kind: 'Stack', plural: 'stacks' },
        validation: {
          openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } },
        },
      },
      defaultComposition: { name: 'stack' },
    },
  },
  {
    apiVersion: DEFINITIONS,
    kind: 'Composition',
    metadata: { name: 'stack' },
    spec: { from: { apiVersion: `${GROUP}/v1alpha1`, kind: 'Stack' }, to: Array.from({ length: MEMBERS }, (_, i) => member(i)) },
  },
  {
    apiVersion: DEFINITIONS,
    kind: 'InfrastructurePublication',
    metadata: { name: `stacks.${GROUP}` },
    spec: { infrastructureDefinitionReference: { name: `stacks.${GROUP}` } },
  },
]

export const stacks: Subject = {
  kind: { group: GROUP, kind: 'Stack' },
  object: (name) => ({ apiVersion: `${GROUP}/v1alpha1`, kind: 'Stack', metadata: { name }, spec: { size: 1 } }),
}

export const requirements: Subject = {
  kind: { group: GROUP, kind: 'StackRequirement' },
  object: (name) => ({
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'StackRequirement',
    metadata: { name, namespace: 'default' },
    spec: { size: 1 },
  }),
}
