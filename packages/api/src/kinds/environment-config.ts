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
    description: 'Data for the functions of a pipeline, selected by name or by labels.',
    properties: {
      data: {
        type: 'object',
        description: 'Details for people to read.',
        additionalProperties: { 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
})
