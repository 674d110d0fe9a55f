import type { KubeObject } from '@weft/api'
import { type Kind, secretKind } from '@weft/client'
import { controllerOf } from '@weft/composition'
import { chaos, eventually, seededRandom } from '@weft/testing'
import { describe, expect, it } from 'vitest'
import {
  composition,
  infrastructure,
  instance,
  machinery,
  member,
  publication,
  startCompositeWorld,
} from '../composite/examples.fixture.ts'
import { compositionKind, infrastructureDefinitionKind, infrastructurePublicationKind } from '../definition/kinds.ts'
import { isTrue, managedKind, NAMESPACE, type World } from '../definition/world.fixture.ts'

/**
 * Random sequences of create, edit, delete and re-create, of definitions, publications, compositions, composites and requirements, with faults on the way, end in what a fresh control plane would make of the final objects.
 * On request: `WEFT_SEQUENCES=1000`.
 */
const SEQUENCES = Number(process.env['WEFT_SEQUENCES'] ?? 20)
const OPERATIONS = 30
/** The same sequences on every run, unless others are asked for (npm test -- --seeds N). */
const FIRST_SEED = Number(process.env['WEFT_SEED'] ?? 1)
const FAULT_RATE = 0.15

const DB: Kind = { group: 'example.org', kind: 'Database' }
const REQUIREMENT: Kind = { group: 'example.org', kind: 'DatabaseRequirement' }
const SERVER: Kind = { group: 'nop.example.org', kind: 'Server' }

/** What there ought to be: the last size that was asked for, by name. */
interface Model {
  readonly requirements: Map<string, number>
  readonly composites: Map<string, number>
  /** Composites that stay when their requirement goes, by its name. */
  readonly retaining: Map<string, string>
  /** Those whose requirement went. What it asked for last may not have reached them. */
  readonly retained: Set<string>
}

function forget({ requirements, retaining, retained }: Model, name: string): boolean {
  const composite = retaining.get(name)
  if (composite !== undefined) retained.add(composite)
  retaining.delete(name)
  return requirements.delete(name)
}

type Operation = (world: World, model: Model, name: string, size: number) => Promise<void>

const requirement = (name: string, size: number): KubeObject => ({
  apiVersion: 'example.org/v1alpha1',
  kind: 'DatabaseRequirement',
  metadata: { name, namespace: 'default' },
  spec: { size, infrastructure: { compositionRef: { name: 'one' }, writeConnectionSecretToRef: { name } } },
})

const definition = (): KubeObject => infrastructure({}, { connectionDetails: ['password'] })
const one = (): KubeObject =>
  composition('one', [member('Server', ['spec.size', 'spec.forProvider.size'], [{ fromConnectionSecretKey: 'password' }])])

const put = async (world: World, object: KubeObject, known: Map<string, number>, size: number): Promise<void> => {
  const { name = '', namespace } = object.metadata
  const kind = { group: 'example.org', kind: object.kind }
  if (known.has(name)) await world.client.patch(kind, { name, namespace }, { type: 'merge', body: { spec: { size } } })
  // One of that name may still be on its way out.
  else await eventually(() => world.client.create(object))
  known.set(name, size)
}

const OPERATIONS_OF: readonly Operation[] = [
  (world, { requirements }, name, size) => put(world, requirement(name, size), requirements, size),
  (world, { composites }, name, size) =>
    put(world, instance(`own-${name}`, { size }, { compositionRef: { name: 'one' } }), composites, size),
  async (world, model, name) => {
    if (forget(model, name)) await world.client.delete(REQUIREMENT, { name, namespace: 'default' })
  },
  async (world, { composites }, name) => {
    if (composites.delete(`own-${name}`)) await world.client.delete(DB, { name: `own-${name}` })
  },
  // A person deletes something that was composed, or a copy of a secret.
  async (world, _model, _name, size) => {
    const { items } = await world.client.list(SERVER)
    const victim = items[size % Math.max(1, items.length)]
    if (victim !== undefined) await world.client.delete(SERVER, { name: victim.metadata.name ?? '' })
  },
  async (world, { requirements, retaining }, name) => {
    if (!requirements.has(name)) return
    const { name: composite = '' } = (machinery(await world.client.get(REQUIREMENT, { name, namespace: 'default' }))['resourceRef'] ??
      {}) as { name?: string }
    if (composite === '' || (await world.client.find(DB, { name: composite })) === undefined) return
    await world.client.patch(DB, { name: composite }, { type: 'merge', body: { spec: { infrastructure: { reclaimPolicy: 'Retain' } } } })
    retaining.set(name, composite)
  },
  // The kind of all requirements goes, and comes again.
  async (world, model, _name, size) => {
    if (size % 4 !== 0) return
    for (const name of [...model.requirements.keys()]) forget(model, name)
    await world.client.delete(infrastructurePublicationKind, { name: 'databases.example.org' })
    await eventually(() => world.client.create(publication()))
    await world.until(infrastructurePublicationKind, 'databases.example.org', isTrue('Established'))
  },
  // What is composed stays as it is while its Composition is away.
  async (world, _model, _name, size) => {
    if (size % 4 !== 1) return
    await world.client.delete(compositionKind, { name: 'one' })
    await eventually(() => world.client.create(one()))
  },
  // The schema of both kinds changes.
  async (world, _model, _name, size) => {
    const properties = { note: size % 2 === 0 ? { type: 'string' } : null }
    const body = { spec: { crdSpecTemplate: { validation: { openAPIV3Schema: { properties } } } } }
    await world.client.patch(infrastructureDefinitionKind, { name: 'databases.example.org' }, { type: 'merge', body })
  },
  // Everything goes, with the definition, and the definition comes again.
  async (world, model, _name, size) => {
    if (size % 8 !== 2) return
    for (const known of Object.values(model) as (Model['retained'] | Model['retaining'])[]) known.clear()
    await world.client.delete(infrastructurePublicationKind, { name: 'databases.example.org' })
    await world.client.delete(infrastructureDefinitionKind, { name: 'databases.example.org' })
    await world.gone(infrastructureDefinitionKind, 'databases.example.org')
    await world.create(definition(), publication())
    await world.until(infrastructurePublicationKind, 'databases.example.org', isTrue('Established'))
  },
  async (world, _model, name) => void (await world.client.delete(secretKind, { name, namespace: 'default' })),
]

const sizeOf = (object: KubeObject | undefined): unknown => ((object?.['spec'] ?? {}) as Record<string, unknown>)['size']
const serverSize = (object: KubeObject | undefined): unknown =>
  ((object?.['spec'] ?? {}) as { forProvider?: Record<string, unknown> }).forProvider?.['size']

async function mustMatch(world: World, { requirements, composites, retained }: Model): Promise<void> {
  const [required, made, servers] = await Promise.all([REQUIREMENT, DB, SERVER].map(async (kind) => (await world.client.list(kind)).items))
  expect(required?.map(({ metadata }) => metadata.name).toSorted()).toEqual([...requirements.keys()].toSorted())
  const expected = requirements.size + composites.size + retained.size
  expect(made).toHaveLength(expected)
  expect(servers).toHaveLength(expected)
  for (const database of made ?? []) {
    const bound = machinery(database)['requirementRef'] as { name: string } | undefined
    const isRetained = retained.has(database.metadata.name ?? '')
    if (isRetained) expect(bound).toBeUndefined()
    const size = isRetained
      ? sizeOf(database)
      : bound === undefined
        ? composites.get(database.metadata.name ?? '')
        : requirements.get(bound.name)
    expect(sizeOf(database)).toBe(size)
    const own = (servers ?? []).filter((server) => controllerOf(server)?.uid === database.metadata.uid)
    expect(own.map(serverSize)).toEqual([size])
    expect(isTrue('Ready')(database)).toBe(true)
  }
  for (const object of required ?? []) {
    const name = object.metadata.name ?? ''
    const { name: resource } = machinery(object)['resourceRef'] as { name: string }
    expect(isTrue('Ready')(object)).toBe(true)
    const copy = await world.client.get(secretKind, { name, namespace: 'default' })
    expect(copy.data).toEqual((await world.client.get(secretKind, { name: resource, namespace: NAMESPACE })).data)
  }
}

describe.runIf(SEQUENCES > 0)('random sequences with faults', () => {
  it.each(Array.from({ length: SEQUENCES }, (_, i) => ({ seed: FIRST_SEED + i })))(
    'X2, X3, X8: sequence $seed converges',
    { timeout: 120_000 },
    async ({ seed }) => {
      const random = seededRandom(seed)
      const world = await startCompositeWorld({ random })
      try {
        await world.create(managedKind('nop.example.org', 'Server', 'servers', { connectionDetails: [{ name: 'password' }] }))
        await world.create(definition(), publication(), one())
        await world.until(infrastructurePublicationKind, 'databases.example.org', isTrue('Established'))
        // The sequences speak of servers from their first step.
        await eventually(() => world.client.mapping(SERVER))
        for (const rule of chaos(FAULT_RATE)) world.faults.inject(rule)
        const model: Model = { requirements: new Map(), composites: new Map(), retaining: new Map(), retained: new Set() }
        for (let i = 0; i < OPERATIONS; i++) {
          const operation = OPERATIONS_OF[Math.floor(random() * OPERATIONS_OF.length)] as Operation
          await operation(world, model, `n${Math.floor(random() * 4)}`, Math.floor(random() * 100))
          if (random() < 0.5) await new Promise((resolve) => setTimeout(resolve, random() * 20))
        }
        world.faults.clear()
        await eventually(() => mustMatch(world, model), { timeoutMs: Number(process.env['WEFT_SETTLE_MS'] ?? 30_000), intervalMs: 100 })
      } finally {
        await world.stop()
      }
    },
  )
})
