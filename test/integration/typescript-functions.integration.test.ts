import { spawnSync } from 'node:child_process'
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { KubeObject } from '@weft/api'
import { type Client, createClient, httpTransport, loadKubeconfig, type Transport } from '@weft/client'
import { eventually, waitFor } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWeft, type WeftProcess } from '../weft-process.ts'
import { type CommandResult, weftWith } from './weft-command.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const NETWORK = { group: 'net.example.org', kind: 'Network' }
const REQUEST = {
  observed: {
    composite: {
      resource: { apiVersion: 'net.example.org/v1', kind: 'Network', metadata: { name: 'main' }, spec: { cidr: '10.1.0.0/16', zones: 1 } },
    },
  },
}

/** A project outside the repository, made of the example. */
let project: string
let server: WeftProcess
let transport: Transport
let client: Client
const path = (name: string): string => join(project, name)
const weft = (...args: readonly string[]): Promise<CommandResult> =>
  weftWith({ cwd: project, env: { KUBECONFIG: server?.kubeconfig }, input: `${JSON.stringify(REQUEST)}\n` }, ...args)
const succeeds = async (...args: readonly string[]): Promise<string> => {
  const { code, stdout, output } = await weft(...args)
  expect(code, `weft ${args.join(' ')}\n${output}`).toBe(0)
  return stdout
}

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'weft-function-'))
  await cp(join(root, 'examples/typescript-function'), project, { recursive: true })
  await mkdir(path('node_modules/@weft'), { recursive: true })
  await symlink(join(root, 'packages/cli/dist/authoring'), path('node_modules/@weft/composition'))
  await writeFile(path('package.json'), '{"type": "module"}')
  server = await startWeft({
    args: [
      '--provider',
      'nop',
      '--package-path',
      project,
      '--allow-provider-executables',
      '--dev',
      `function-fresh=${path('function.ts')}`,
    ],
  })
  const { namespace: _default, ...connection } = await loadKubeconfig({ paths: [server.kubeconfig] })
  transport = httpTransport(connection)
  client = createClient({ transport, fieldManager: 'test' })
})
afterAll(async () => {
  await transport?.close()
  await server?.stop()
  await rm(project, { recursive: true, force: true })
})

const subnetsOf = (object: KubeObject | undefined): readonly string[] | undefined =>
  (object?.['status'] as { readonly subnets?: readonly string[] } | undefined)?.subnets

describe('a function in TypeScript', () => {
  test('is typed by the definition: what it has not is an error of the compiler', async () => {
    await succeeds('types', '-f', 'definition.yaml', '--kind', 'Network', '-o', 'again.ts')
    expect(await readFile(path('again.ts'), 'utf8')).toBe(await readFile(path('types.ts'), 'utf8'))
    await rm(path('again.ts'))
    const tsc = (): string =>
      spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', project, '--pretty', 'false'], { encoding: 'utf8' }).stdout
    expect(tsc()).toBe('')
    const good = await readFile(path('function.ts'), 'utf8')
    await writeFile(
      path('bad.ts'),
      good.replace('status: { subnets }', 'status: { subnets: 3 }').replace('composite.spec\n', 'composite.spec.sizes\n'),
    )
    const errors = tsc()
    expect(errors).toMatch(/bad\.ts\(\d+,\d+\): error TS2339: Property 'sizes' does not exist/)
    expect(errors).toMatch(/'status\.subnets' are incompatible/)
    await rm(path('bad.ts'))
  })

  test('is run by weft function run and weft render, which say what is wrong with it', async () => {
    const answer = JSON.parse(await succeeds('function', 'run', 'subnets', '--module', 'function.ts')) as { desired: object }
    expect(answer.desired).toMatchObject({
      composite: { resource: { status: { subnets: ['10.1.0.0/20'] } } },
      resources: { 'subnet-0': { resource: { kind: 'ConfigMap', data: { cidr: '10.1.0.0/20' } }, ready: 'READY_TRUE' } },
    })
    expect(await succeeds('render', 'network.yaml', 'composition.yaml', 'functions.yaml')).toContain('cidr: 10.1.32.0/20')
    await writeFile(
      path('node.ts'),
      "import { readFileSync } from 'node:fs'\nexport default async () => ({ context: { it: readFileSync('/etc/passwd', 'utf8') } })\n",
    )
    const refused = await weft('function', 'run', 'subnets', '--module', 'node.ts')
    expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(/node\.ts:1:\d+: node:fs is not available to functions/)])
  })

  test('is installed as a package, and composes', async () => {
    await succeeds('function', 'build', 'function.ts', '-o', 'package/function.js')
    await succeeds('package', 'install', path('package'), '--wait')
    await succeeds('apply', '-f', 'definition.yaml', '-f', 'composition.yaml')
    await eventually(() => succeeds('apply', '-f', 'network.yaml'), { intervalMs: 500 })
    const ready = await waitFor(client, NETWORK, { namespace: 'default', name: 'main' }, (object) => subnetsOf(object)?.length === 3)
    expect(subnetsOf(ready)).toEqual(['10.1.0.0/20', '10.1.16.0/20', '10.1.32.0/20'])
    const { items } = await client.list({ group: '', kind: 'ConfigMap' }, { namespace: 'default', labels: 'crossplane.io/composite=main' })
    expect(items).toHaveLength(3)
  })

  test('under development it is run from its file, and again when that changes', async () => {
    const fresh: KubeObject = {
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'Composition',
      metadata: { name: 'fresh' },
      spec: {
        compositeTypeRef: { apiVersion: 'net.example.org/v1', kind: 'Network' },
        mode: 'Pipeline',
        pipeline: [{ step: 'subnets', functionRef: { name: 'function-fresh' } }],
      },
    }
    await client.create(fresh)
    const network = (name: string): KubeObject => ({
      apiVersion: 'net.example.org/v1',
      kind: 'Network',
      metadata: { namespace: 'default', name },
      spec: { cidr: '10.2.0.0/16', crossplane: { compositionRef: { name: 'fresh' } } },
    })
    const composed = async (name: string): Promise<readonly string[] | undefined> => {
      await client.create(network(name))
      return subnetsOf(await waitFor(client, NETWORK, { namespace: 'default', name }, (object) => subnetsOf(object) !== undefined))
    }
    expect(await composed('before')).toEqual(['10.2.0.0/20', '10.2.16.0/20'])
    // Half an edit: what was right goes on.
    await appendFile(path('function.ts'), '\nconst half = (')
    await eventually(async () => expect(server.output()).toMatch(/function\.ts:\d+:\d+: .*continues as it was/))
    expect(await composed('meanwhile')).toEqual(['10.2.0.0/20', '10.2.16.0/20'])
    const changed = (await readFile(join(root, 'examples/typescript-function/function.ts'), 'utf8')).replace('.0/20`', '.0/24`')
    await writeFile(path('function.ts'), changed)
    await eventually(async () => expect(server.output()).toMatch(/function-fresh is run from \S+ as it is now/))
    expect(await composed('after')).toEqual(['10.2.0.0/24', '10.2.16.0/24'])
  })
})
