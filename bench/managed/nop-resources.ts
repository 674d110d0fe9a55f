import type { Subject } from '../plane/load.ts'

export const nopResources: Subject = {
  kind: { group: 'nop.crossplane.io', kind: 'NopResource' },
  object: (name) => ({
    apiVersion: 'nop.crossplane.io/v1alpha1',
    kind: 'NopResource',
    metadata: { name, labels: { app: 'bench' } },
    spec: { forProvider: { fields: { size: 3, region: 'north', tags: { team: 'bench', tier: 'load' } } } },
  }),
}
