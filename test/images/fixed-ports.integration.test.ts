import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCondition, type KubeObject } from '@weft/api'
import { secretKind } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import {
  functionKind,
  functionRevisionKind,
  type PackageObject,
  providerKind,
  providerRevisionKind,
  type RevisionObject,
} from '@weft/controllers'
import { FunctionRunners, parseFunctionAddress, type RunFunctionResponse } from '@weft/functions'
import { eventually, startControlPlane, type TestControlPlane } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type MemoryRegistry, startMemoryRegistry } from '../../packages/xpkg/src/registry/memory-registry.fixture.ts'
import { freePort } from '../../packages/controlplane/src/programs/image-program.ts'
import { writeFunctionPackage } from './node-image.ts'
import { putProvider } from './provider-package.ts'
import { programHome } from './program-home.ts'
import { type Shelf, startShelf } from './shelf.ts'

const bubblewrap = await vi.hoisted(async () => {
  const { isProgram, unpackedProgram } = await import('../debian.mjs')
  if (process.platform !== 'linux' || isProgram('/usr/bin/bwrap')) return {}
  const found = await unpackedProgram('debian-bubblewrap', { package: 'bubblewrap', program: 'bwrap' })
  if ('path' in found) process.env['WEFT_BUBBLEWRAP'] = found.path
  return found
})
if ('skipped' in bubblewrap) console.log(`no program is given other ports than it insists on: ${String(bubblewrap.skipped)}`)

const GENEROUS = { timeoutMs: 120_000 }
const isRoot = process.getuid?.() === 0

describe.runIf(process.platform === 'linux' && isRoot && !('skipped' in bubblewrap))(
  'K189, K240 providers that insist on the same ports',
  () => {
    let directory: string
    let plane: TestControlPlane
    let registry: MemoryRegistry
    let shelf: Shelf
    let port: number
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'weft-fixed-ports-'))
      registry = await startMemoryRegistry()
      shelf = await startShelf()
      port = await freePort('127.0.0.1')
      plane = await startControlPlane({ dataDir: join(directory, 'data') })
    }, 300_000)
    afterAll(async () => {
      await plane?.stop()
      await registry?.close()
      await shelf?.close()
      await rm(await programHome(join(directory, 'data')), { recursive: true, force: true })
      await rm(directory, { recursive: true, force: true })
    })

    const install = async (name: string, group: string): Promise<RevisionObject> => {
      await plane.client.create<PackageObject>({
        apiVersion: 'pkg.crossplane.io/v1',
        kind: 'Provider',
        metadata: { name },
        spec: { package: await putProvider(registry, { name, group, env: [`INSISTS_ON=${port}`] }) },
      })
      return eventually(async () => {
        const found = await plane.client.get(providerKind, { name })
        expect(findCondition(conditionsOf(found), 'Healthy')).toMatchObject({ status: 'True' })
        return revisionOf(name)
      }, GENEROUS)
    }

    const revisionOf = async (name: string): Promise<RevisionObject> => {
      const labels = { matchLabels: { 'pkg.crossplane.io/package': name } }
      const [found] = (await plane.client.list(providerRevisionKind, { labels })).items
      if (found === undefined) throw new Error(`${name} has no revision`)
      return found
    }

    const partOf = (group: string, size: number): KubeObject =>
      ({
        apiVersion: `${group}/v1`,
        kind: 'Part',
        metadata: { name: group },
        spec: { deletionPolicy: 'Delete', forProvider: { shelf: shelf.address, size } },
      }) as KubeObject

    /** It makes what it is to make, and is asked where it listens: what is admitted, and how one version becomes another. */
    const works = async (group: string): Promise<void> => {
      await eventually(
        () =>
          expect(plane.client.create(partOf(group, -1), { dryRun: true })).rejects.toMatchObject({
            message: expect.stringContaining('no part is smaller than nothing'),
          }),
        GENEROUS,
      )
      await plane.client.create(partOf(group, 1))
      const spec = { forProvider: { size: 7, colour: 'red' } }
      await plane.client.create({ apiVersion: `${group}/v1`, kind: 'Crate', metadata: { name: group }, spec } as KubeObject)
      const second = { group, version: 'v2', kind: 'Crate' }
      expect(await plane.client.get(second, { name: group })).toMatchObject({ spec: { forProvider: { amount: 7, colour: 'red' } } })
      await eventually(() => expect(shelf.parts.has(group)).toBe(true), GENEROUS)
    }

    test('run side by side: the second is given ports of the choice of the system, and asked there', async () => {
      await install('provider-first', 'first.example.org')
      await works('first.example.org')
      expect((await revisionOf('provider-first')).status).toMatchObject({ process: { isolation: 'user' } })
      expect((await revisionOf('provider-first')).status).not.toHaveProperty('process.ports')

      await install('provider-second', 'second.example.org')
      await works('second.example.org')
      const ports = await eventually(async () => {
        const { process } = (await revisionOf('provider-second')).status as unknown as { process: { ports: number[] } }
        expect(process.ports).toHaveLength(2)
        return process.ports
      }, GENEROUS)
      expect(ports).not.toContain(port)
      expect(ports).not.toContain(port + 1)
      const health = findCondition(conditionsOf(await revisionOf('provider-second')), 'RuntimeHealthy')
      expect(health).toMatchObject({ status: 'True', message: expect.stringContaining(ports.join(', ')) })
      const pages = await Promise.all(
        [port, ...ports].map((each) =>
          fetch(`http://127.0.0.1:${each}/metrics`).then(
            (answer) => answer.text(),
            () => 'https',
          ),
        ),
      )
      expect(pages.toSorted()).toEqual(['https', 'parts_total 1\n', 'parts_total 1\n'])
    }, 400_000)

    test('functions that cannot be told where to listen do so side by side, also those that ask for 0.0.0.0', async () => {
      const insisted = await freePort('127.0.0.1')
      const endpoints = new Map<string, string>()
      for (const name of ['function-first', 'function-second']) {
        const file = join(directory, `${name}.xpkg`)
        await writeFunctionPackage(file, { name, env: [`INSISTS_ON=0.0.0.0:${insisted}`] })
        await plane.client.create<PackageObject>({
          apiVersion: 'pkg.crossplane.io/v1',
          kind: 'Function',
          metadata: { name },
          spec: { package: file },
        })
        await eventually(async () => {
          expect(findCondition(conditionsOf(await plane.client.get(functionKind, { name })), 'Healthy')).toMatchObject({ status: 'True' })
        }, GENEROUS)
        const labels = { matchLabels: { 'pkg.crossplane.io/package': name } }
        const [revision] = (await plane.client.list(functionRevisionKind, { labels })).items
        endpoints.set(name, revision?.status?.endpoint ?? '')
        // Asked as the control plane asks it: by the name in its certificate.
        expect((await ask(name, endpoints.get(name) ?? '')).desired?.resources?.['made']).toBeDefined()
      }
      expect(endpoints.get('function-first')).toBe(`dns:///127.0.0.1:${insisted}`)
      expect(endpoints.get('function-second')).not.toBe(endpoints.get('function-first'))
    }, 400_000)

    const ask = async (name: string, endpoint: string): Promise<RunFunctionResponse> => {
      const { data = {} } = await plane.client.get(secretKind, { namespace: 'crossplane-system', name: 'crossplane-tls-client' })
      const file = (key: string): Buffer => Buffer.from(data[key] ?? '', 'base64')
      const tls = { ca: file('ca.crt'), key: file('tls.key'), certificate: file('tls.crt'), serverName: `${name}.crossplane-system` }
      const target = parseFunctionAddress(endpoint, tls)
      if (target === undefined) throw new Error(`${endpoint} is no address`)
      const runners = new FunctionRunners({ find: async () => ({ type: 'address', target }) }, { timeoutMs: 60_000 })
      return runners.run(name, {}).finally(() => runners.close())
    }
  },
)
