import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findCondition, type KubeObject } from '@weft/api'
import { conditionsOf } from '@weft/composition'
import { compositeDefinition, eventually, pipelineComposition, startControlPlane, type TestControlPlane } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { functionKits } from './kits.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const { python } = await functionKits()
const NETWORK = { group: 'python.example.org', kind: 'Network' }
const NOP = { group: 'nop.crossplane.io', kind: 'NopResource' }

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const text = { type: 'string' }
const platform = (port: number): readonly KubeObject[] => [
  {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Function',
    metadata: { name: 'function-network', annotations: { 'weft.dev/function-address': `localhost:${port}` } },
    spec: { package: 'registry.example.org/team/function-network:v1' },
  },
  compositeDefinition({
    group: NETWORK.group,
    kind: 'Network',
    spec: { zones: { type: 'array', items: text } },
    status: { subnets: { type: 'array', items: text } },
  }),
  pipelineComposition(
    'network',
    { apiVersion: 'python.example.org/v1', kind: 'Network' },
    { step: 'subnets', functionRef: { name: 'function-network' } },
  ),
]
const network = (...zones: readonly string[]): KubeObject => ({
  apiVersion: 'python.example.org/v1',
  kind: 'Network',
  metadata: { name: 'main' },
  spec: { zones },
})

describe.runIf('path' in python)('a platform whose function is written with the Python kit', () => {
  let plane: TestControlPlane
  let program: ChildProcess
  beforeAll(async () => {
    const port = await freePort()
    program = spawn('python3', [join(here, 'network.py'), '--address', `127.0.0.1:${port}`], {
      env: { ...process.env, PYTHONPATH: 'path' in python ? python.path : '' },
      stdio: 'ignore',
    })
    plane = await startControlPlane()
    await apply(...platform(port), network('a', 'b'))
  }, 180_000)
  afterAll(async () => {
    await plane?.stop()
    program?.kill('SIGKILL')
  })

  /** Kinds that others of them define may take a moment. */
  async function apply(...objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) await eventually(() => plane.client.apply(object, { fieldManager: 'platform-team', force: true }))
  }
  async function members(): Promise<readonly KubeObject[]> {
    return (await plane.client.list(NOP, { labels: { matchLabels: { 'crossplane.io/composite': 'main' } } })).items
  }
  const zones = (objects: readonly KubeObject[]): readonly string[] =>
    objects.map((object) => (object['spec'] as { forProvider: { fields: { zone: string } } }).forProvider.fields.zone).sort()
  const condition = async (type: string): Promise<unknown> => {
    const found = await plane.client.find(NETWORK, { name: 'main' })
    return findCondition(found === undefined ? [] : conditionsOf(found), type)
  }

  test('K56–K72: composes by a loop, says what became of it, and follows an edit', async () => {
    await eventually(async () => expect(await condition('Ready')).toMatchObject({ status: 'True' }), { timeoutMs: 120_000 })
    const made = await members()
    expect(zones(made)).toEqual(['a', 'b'])
    await eventually(async () => {
      const { subnets } = ((await plane.client.find(NETWORK, { name: 'main' }))?.['status'] ?? {}) as { subnets?: string[] }
      expect([...(subnets ?? [])].sort()).toEqual(made.map(({ metadata }) => metadata.name).sort())
    })
    await apply(network('b', 'c'))
    await eventually(async () => expect(zones(await members())).toEqual(['b', 'c']))
  })

  test('K77: what it refuses is said, and nothing changes', async () => {
    await apply(network('a', 'b', 'c', 'd'))
    await eventually(async () =>
      expect(await condition('Synced')).toMatchObject({ status: 'False', message: expect.stringContaining('at most 3 zones') as string }),
    )
    expect(zones(await members())).toEqual(['b', 'c'])
  })
})
