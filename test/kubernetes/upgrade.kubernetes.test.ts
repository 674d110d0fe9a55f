import { readFileSync } from 'node:fs'
import { findCondition, hasReason, type KubeObject, weftKinds } from '@weft/api'
import { type Client, createClient, customResourceDefinitionKind, type CustomResourceDefinition } from '@weft/client'
import { eventually, installKinds, startTestServer, type TestServer, waitFor } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { kubeconfigFile, type Replica, startReplica, weft } from './weft-start.ts'

/** Recorded from the release before: its kinds. Its code is not kept, so what ran before the upgrade is a person at work, not an old controller. */
const previous = parseAllDocuments(readFileSync(new URL('previous/kinds.yaml', import.meta.url), 'utf8')).map(
  (document) => document.toJS() as CustomResourceDefinition,
)

const CLAIM = { group: 'database.crossplane.io', kind: 'MySQLInstance' }
const claim = (name: string): KubeObject => ({
  apiVersion: 'database.crossplane.io/v1alpha1',
  kind: 'MySQLInstance',
  metadata: { namespace: 'default', name, annotations: { note: name } },
  spec: { engineVersion: '5.7', classRef: { apiVersion: 'infrastructure.crossplane.io/v1alpha1', kind: 'ResourceClass', name: 'nop' } },
})
const resourceClass: KubeObject = {
  apiVersion: 'infrastructure.crossplane.io/v1alpha1',
  kind: 'ResourceClass',
  metadata: { name: 'nop' },
  spec: {
    claim: { apiVersion: 'database.crossplane.io/v1alpha1', kind: 'MySQLInstance' },
    resource: { base: { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', spec: { forProvider: {} } } },
  },
}
const isReady = (object: KubeObject | undefined): boolean =>
  findCondition((object?.['status'] as { conditions?: [] } | undefined)?.conditions, 'Ready')?.status === 'True'

describe('upgrading from the previous release', () => {
  let server: TestServer
  let client: Client
  let admin: { path: string; remove(): Promise<void> }
  let replica: Replica | undefined

  beforeEach(async () => {
    server = await startTestServer()
    await installKinds(server.client, previous)
    client = createClient({ transport: server.transport, fieldManager: 'test' })
    admin = await kubeconfigFile((await server.listen()).kubeconfig)
  })
  afterEach(async () => {
    await replica?.kill()
    await server.close()
    await admin.remove()
  })

  it('under load: no write is lost, no object changes, everything becomes ready', async () => {
    expect(previous.length).toBeGreaterThan(10)
    await client.create(resourceClass)
    const names: string[] = []
    const failures: string[] = []
    let isOver = false
    const patch = async (name: string, body: object): Promise<void> => {
      try {
        await client.patch(CLAIM, { namespace: 'default', name }, { type: 'merge', body })
      } catch (error) {
        // A real server gives up when it meets other writers again and again: nothing was written, and the person tries once more.
        if (!hasReason(error, 'Conflict')) throw error
        await patch(name, body)
      }
    }
    const write = async (): Promise<void> => {
      const name = `c${names.length}`
      names.push(name)
      try {
        await client.create(claim(name))
        await patch(name, { spec: { storageGB: names.length } })
      } catch (error) {
        failures.push(String(error))
      }
    }
    const load = (async () => {
      while (!isOver) {
        await write()
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
    })()
    await eventually(() => expect(names.length).toBeGreaterThan(10))
    replica = await startReplica(admin.path, ['--no-webhooks', '--lease-seconds', '2'])
    const during = names.length
    await eventually(() => expect(names.length).toBeGreaterThan(during + 20))
    isOver = true
    await load
    expect(failures).toEqual([])
    for (const name of names) {
      const object = await waitFor(client, CLAIM, { namespace: 'default', name }, isReady)
      expect(object?.['spec']).toMatchObject({ engineVersion: '5.7', storageGB: Number(name.slice(1)) + 1 })
      expect(object?.metadata.annotations).toMatchObject({ note: name })
    }
    expect((await client.list({ group: 'nop.crossplane.io', kind: 'NopResource' })).items).toHaveLength(names.length)
    for (const { metadata } of weftKinds) {
      const installed = await client.get(customResourceDefinitionKind, { name: metadata.name ?? '' })
      expect(installed.metadata.annotations?.['weft.dev/release'], metadata.name).toMatch(/^\d+\.\d+\.\d+$/)
    }
  })

  it('leaves alone what a newer release installed, and keeps versions in which objects are stored', async () => {
    // One that is served in the same versions since: what a newer release leaves out cannot be worked with.
    const newer = 'infrastructuredefinitions.apiextensions.crossplane.io'
    const stored = 'mysqlinstances.database.crossplane.io'
    await client.patch(
      customResourceDefinitionKind,
      { name: newer },
      { type: 'merge', body: { metadata: { annotations: { 'weft.dev/release': '99.0.0' } } } },
    )
    const [version] = (await client.get(customResourceDefinitionKind, { name: stored })).spec.versions
    await client.patch(
      customResourceDefinitionKind,
      { name: stored },
      {
        type: 'merge',
        body: {
          spec: {
            versions: [
              { ...version, name: 'v1alpha0' },
              { ...version, storage: false },
            ],
          },
        },
      },
    )
    await eventually(async () => {
      const { status } = await client.get(customResourceDefinitionKind, { name: stored })
      expect((status as { storedVersions?: string[] }).storedVersions).toContain('v1alpha0')
    })
    const before = await client.get(customResourceDefinitionKind, { name: newer })
    replica = await startReplica(admin.path, ['--no-webhooks', '--lease-seconds', '2'])
    expect((await client.get(customResourceDefinitionKind, { name: newer })).spec).toEqual(before.spec)
    const upgraded = await client.get(customResourceDefinitionKind, { name: stored })
    expect(upgraded.spec.versions.map(({ name, storage }) => ({ name, storage }))).toEqual([
      { name: 'v1alpha1', storage: true },
      { name: 'v1alpha0', storage: false },
    ])
  })

  it('refuses, in words, a kind of a newer release without a version that it works with', async () => {
    const name = 'infrastructuredefinitions.apiextensions.crossplane.io'
    const [version] = (await client.get(customResourceDefinitionKind, { name })).spec.versions
    const versions = [
      { ...version, name: 'v1' },
      { ...version, served: false, storage: false },
    ]
    await client.patch(
      customResourceDefinitionKind,
      { name },
      { type: 'merge', body: { metadata: { annotations: { 'weft.dev/release': '99.0.0' } }, spec: { versions } } },
    )
    const says = `InfrastructureDefinition (${name}) is of release 99.0.0 and lacks v1alpha1; it is served as v1`
    await expect(startReplica(admin.path, ['--no-webhooks'])).rejects.toThrow(says)
    const told = [await weft('status', '--kubeconfig', admin.path), await weft('install', '--check', '--kubeconfig', admin.path)]
    for (const { code, stdout } of told) {
      expect(stdout).toContain(says)
      expect(code).toBe(1)
    }
    expect(told[0]?.stdout).toContain('Upgrade this replica to release 99.0.0')
  })
})
