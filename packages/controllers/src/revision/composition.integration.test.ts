import { type KubeObject, weftKinds } from '@weft/api'
import type { StaticKind } from '@weft/client'
import { startTestServer } from '@weft/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compositionRevisionKind, pipelineCompositionKind } from './kinds.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer({ kinds: weftKinds })
})
afterAll(() => server.close())

const FUNCTION = { functionRef: { name: 'any' } }
const step = (more: object = {}, name = 'one'): object => ({ step: name, ...FUNCTION, ...more })

let count = 0
const composition = (spec: object): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'Composition',
  metadata: { name: `c${++count}` },
  spec: { compositeTypeRef: { apiVersion: 'example.org/v1', kind: 'XBed' }, ...spec },
})
const requirement = (more: object): object =>
  step({ requirements: { requiredResources: [{ requirementName: 'a', apiVersion: 'v1', kind: 'ConfigMap', ...more }] } })

test.each<[reason: string, spec: object, words: RegExp]>([
  ['K34: there is no other mode', { mode: 'Resources', pipeline: [step()] }, /spec\.mode: Unsupported value/],
  ['K34: a pipeline is required', { mode: 'Pipeline' }, /pipeline/],
  ['K35: of one step at least', { pipeline: [] }, /spec\.pipeline/],
  ['K35: and of 99 at most', { pipeline: Array.from({ length: 100 }, (_, i) => step({}, `s${i}`)) }, /must have at most 99 items/],
  ['K35: steps have names of their own', { pipeline: [step(), step()] }, /Duplicate value/],
  ['K36: a step says whom it calls', { pipeline: [{ step: 'one' }] }, /functionRef: Required value/],
  ['K36: an input is an object of some kind', { pipeline: [step({ input: { size: 1 } })] }, /input\.(apiVersion|kind)/],
  ['K37: credentials are in a Secret', { pipeline: [step({ credentials: [{ name: 'a', source: 'None' }] })] }, /credentials/],
  ['K37: which is named', { pipeline: [step({ credentials: [{ name: 'a', source: 'Secret' }] })] }, /credentials/],
  [
    'K37: with names of their own',
    {
      pipeline: [
        step({ credentials: ['b', 'c'].map((name) => ({ name: 'a', source: 'Secret', secretRef: { namespace: 'default', name } })) }),
      ],
    },
    /Duplicate value/,
  ],
  ['K38: by name or by labels', { pipeline: [requirement({ name: 'b', matchLabels: { a: 'b' } })] }, /requiredResources/],
])('%s', async (_, spec, words) => {
  await expect(server.client.create(composition(spec))).rejects.toMatchObject({
    code: 422,
    message: expect.stringMatching(words) as string,
  })
})

test('K34, K36, K38: what is valid is kept as it was written', async () => {
  const spec = {
    mode: 'Pipeline',
    writeConnectionSecretsToNamespace: 'vault',
    pipeline: [
      {
        ...requirement({ name: 'b', namespace: 'default' }),
        input: { apiVersion: 'any.example.org/v1', kind: 'Any', deep: { er: [1, { x: null }] } },
        credentials: [{ name: 'a', source: 'Secret', secretRef: { namespace: 'default', name: 's' } }],
      },
      step({ requirements: { requiredSchemas: [{ requirementName: 's', apiVersion: 'v1', kind: 'Pod' }] } }, 'two'),
    ],
  }
  const { mode: _, ...unsaid } = spec
  const created = await server.client.create(composition(unsaid))
  expect(created['spec']).toEqual({ ...spec, compositeTypeRef: { apiVersion: 'example.org/v1', kind: 'XBed' } })
})

test('K35, K39: what a Composition composes stays; a revision may be changed otherwise', async () => {
  const created = await server.client.create(composition({ pipeline: [step()] }))
  const compositeTypeRef = { apiVersion: 'example.org/v2', kind: 'XBed' }
  const change = (kind: StaticKind, name: string, spec: object) =>
    server.client.patch<KubeObject>(kind, { name }, { type: 'merge', body: { spec } })
  await expect(change(pipelineCompositionKind, created.metadata.name ?? '', { compositeTypeRef })).rejects.toMatchObject({ code: 422 })
  const revision = {
    ...created,
    kind: 'CompositionRevision',
    metadata: { name: 'r' },
    spec: { ...(created['spec'] as object), revision: 1 },
  }
  await server.client.create(revision as KubeObject)
  expect(await change(compositionRevisionKind, 'r', { revision: 3 })).toMatchObject({ spec: { revision: 3 } })
  await expect(change(compositionRevisionKind, 'r', { compositeTypeRef })).rejects.toMatchObject({ code: 422 })
})
