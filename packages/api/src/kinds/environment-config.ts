import { defineKind, type KindDefinition } from './definition.ts'

/** K148: data that functions ask for. The control plane itself does nothing with it. */
export const environmentConfig: KindDefinition = defineKind({
  group: 'apiextensions.crossplane.io',
  kind: 'EnvironmentConfig',
  plural: 'environmentconfigs',
  shortNames: ['envcfg'],
  scope: 'Cluster',
  categories: ['crossplane'],
  versions: ['v1beta1'],
  status: false,
  schema: {
    description: 'Data that functions of a pipeline ask for, by name or by labels.',
    properties: {
      data: {
        type: 'object',
        description: 'Whatever there is to know.',
        additionalProperties: { 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
})
