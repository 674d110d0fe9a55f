import { bench, describe } from 'vitest'
import type { KubeObject } from '@weft/api'
import { parseTemplateSource } from './adapters.ts'
import { render } from './render.ts'
import seeds from './seeds.fixture.json' with { type: 'json' }

/** The MySQLServer of 002:380-432 with two patches more: six, of which four transform. */
const composition = structuredClone(seeds.composition) as unknown as { spec: { to: { patches: unknown[] }[] } }
composition.spec.to[1]?.patches.push(
  {
    fromFieldPath: 'metadata.name',
    toFieldPath: 'metadata.annotations[crossplane.io/external-name]',
    transforms: [{ type: 'string', string: { fmt: '%s-a' } }],
  },
  { fromFieldPath: 'spec.region', toFieldPath: 'metadata.labels.region' },
)
const source = parseTemplateSource(composition as unknown as KubeObject)
if (!source.ok) throw new Error('bad fixture')
const template = source.value.templates[1]
if (template?.patches.length !== 6) throw new Error('bad fixture')
const from = { ...(seeds.mysqlInstance as unknown as KubeObject), metadata: { name: 'sql', uid: 'eabce854' } }
const owner = { apiVersion: 'database.example.org/v1alpha1', kind: 'MySQLInstance', name: 'sql', uid: 'eabce854', controller: true }

describe('render', () => {
  bench('one template with six patches', () => {
    render(template, {
      from,
      name: 'sql-3i3d1',
      labels: { 'crossplane.io/composite': 'sql' },
      ownerReferences: [owner],
      secret: { taken: { namespace: 'crossplane-system', name: 'sql' } },
    })
  })

  bench('read a Composition of three templates', () => {
    parseTemplateSource(seeds.composition)
  })
})
