import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@weft/api'
import { type Client, createClient, customResourceDefinitionKind } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import { type ControlPlane, startControlPlane } from '@weft/controlplane'
import { inProcessTransport } from '@weft/plane'
import { ADMINISTRATOR, eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const EXTENSIONS = 'apiextensions.crossplane.io/v1alpha1'
const NOP = { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', spec: { forProvider: {} } }
const CLAIM = { apiVersion: 'database.crossplane.io/v1alpha1', kind: 'MySQLInstance' }
const object = (apiVersion: string, kind: string, name: string, more: object, namespace?: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace !== undefined && { namespace }) },
  ...more,
})

/** Something of every controller: what works, and what cannot. */
const platform: readonly KubeObject[] = [
  object('infrastructure.crossplane.io/v1alpha1', 'ResourceClass', 'nop', { spec: { claim: CLAIM, resource: { base: NOP } } }),
  object(EXTENSIONS, 'InfrastructureDefinition', 'databases.example.org', {
    spec: {
      crdSpecTemplate: {
        group: 'example.org',
        version: 'v1alpha1',
        names: { kind: 'Database', plural: 'databases', singular: 'database', listKind: 'DatabaseList' },
        validation: { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' } } } },
      },
      defaultComposition: { name: 'nop' },
    },
  }),
  object(EXTENSIONS, 'InfrastructurePublication', 'databases.example.org', {
    spec: { infrastructureDefinitionReference: { name: 'databases.example.org' } },
  }),
  object(EXTENSIONS, 'Composition', 'nop', {
    spec: { from: { apiVersion: 'example.org/v1alpha1', kind: 'Database' }, to: [{ base: NOP }] },
  }),
  object(EXTENSIONS, 'ManagedResourceActivationPolicy', 'more', { spec: { activate: ['nothing.of.this.name'] } }),
  object('pkg.crossplane.io/v1', 'Provider', 'nowhere', { spec: { package: '/nowhere/at/all' } }),
]
const classRef = { apiVersion: 'infrastructure.crossplane.io/v1alpha1', kind: 'ResourceClass', name: 'nop' }
const asked: readonly KubeObject[] = [
  object(CLAIM.apiVersion, CLAIM.kind, 'good', { spec: { classRef } }, 'default'),
  object(CLAIM.apiVersion, CLAIM.kind, 'bad', { spec: { classRef: { ...classRef, name: 'none' } } }, 'default'),
  object('example.org/v1alpha1', 'DatabaseRequirement', 'good', { spec: { size: 1 } }, 'default'),
  object('example.org/v1alpha1', 'Database', 'bad', { spec: { infrastructure: { compositionRef: { name: 'none' } } } }),
  object('nop.crossplane.io/v1alpha1', 'NopResource', 'bad', { spec: { forProvider: {}, providerConfigRef: { name: 'none' } } }),
]
/** Of each of these a condition and an event say what is in its way. */
const FAILING = ['MySQLInstance bad', 'Database bad', 'Provider nowhere']
/** Kinds of which there must be one with conditions, so that this test proves something. */
const WITH_CONDITIONS = [
  'Database',
  'DatabaseRequirement',
  'InfrastructureDefinition',
  'InfrastructurePublication',
  'ManagedResourceActivationPolicy',
  'ManagedResourceDefinition',
  'MySQLInstance',
  'NopResource',
  'Provider',
  'ProviderRevision',
]

const nameOf = ({ kind, metadata: { name = '' } }: KubeObject): string => `${kind} ${name}`

describe('what controllers say', { timeout: 120_000 }, () => {
  let plane: ControlPlane
  let client: Client
  let dataDir: string

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'weft-said-'))
    plane = await startControlPlane({ dataDir, inMemory: true, providers: ['nop'], log: () => undefined })
    client = createClient({ transport: inProcessTransport(plane.api, ADMINISTRATOR), fieldManager: 'test' })
    for (const each of platform) await client.create(each)
    for (const each of asked) await eventually(() => client.create(each))
  }, 120_000)
  afterAll(async () => {
    await plane?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** All objects of Weft's kinds, and of those that it defined. */
  const everything = async (): Promise<readonly KubeObject[]> => {
    const kinds = (await client.list(customResourceDefinitionKind)).items
    const lists = await Promise.all(
      kinds.map(async ({ spec }) => (await client.list({ group: spec.group, kind: spec.names.kind })).items as readonly KubeObject[]),
    )
    return lists.flat()
  }

  it('X5: every condition says which generation it is about', async () => {
    await eventually(async () => {
      const found = (await everything()).filter((each) => conditionsOf(each).length > 0)
      expect([...new Set(found.map(({ kind }) => kind))]).toEqual(expect.arrayContaining(WITH_CONDITIONS))
      const untold = found.flatMap((each) =>
        conditionsOf(each)
          .filter(({ observedGeneration }) => observedGeneration !== each.metadata.generation)
          .map(({ type, reason }) => `${nameOf(each)}: ${type} ${reason ?? ''}`),
      )
      expect(untold).toEqual([])
    })
  })

  it.each(FAILING)('%s: a condition and an event say what is wrong', async (wanted) => {
    await eventually(async () => {
      const found = (await everything()).find((each) => nameOf(each) === wanted)
      const bad = conditionsOf(found ?? { apiVersion: '', kind: '', metadata: {} }).filter(
        ({ status, message = '' }) => status === 'False' && message !== '',
      )
      expect(bad).not.toEqual([])
      const events = (await client.list({ group: '', kind: 'Event' })).items as readonly (KubeObject & {
        readonly type?: string
        readonly message?: string
        readonly involvedObject?: { readonly uid?: string }
      })[]
      const told = events.filter(({ type, involvedObject }) => type === 'Warning' && involvedObject?.uid === found?.metadata.uid)
      expect(told.map(({ message = '' }) => message).filter((message) => message !== '')).not.toEqual([])
    })
  })
})
