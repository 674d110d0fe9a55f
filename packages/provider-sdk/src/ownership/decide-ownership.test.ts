import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ManagedKind } from '../reconciler/managed-kind.ts'
import { CREATE_SUCCEEDED, PAUSED, OWNERSHIP } from '../resource/annotations.ts'
import type { ManagedResource } from '../resource/managed-resource.ts'
import { decideOwnership } from './decide-ownership.ts'
import { identityOf } from './external-identity.ts'
import { formatOwnership, ownershipOf, type OwnershipState } from './ownership-record.ts'

const kind: ManagedKind = {
  group: 'fake.weft.dev',
  kind: 'Thing',
  configKinds: [{ group: 'fake.weft.dev', kind: 'ProviderConfig' }],
  connector: { connect: () => Promise.reject(new Error('not called')) },
}

interface Given {
  readonly external?: string
  readonly state?: OwnershipState
  readonly recordOf?: string
  readonly recordName?: string
  readonly recordConfig?: string
  readonly config?: string
  readonly annotations?: Readonly<Record<string, string>>
  readonly deleted?: boolean
  readonly observing?: boolean
}

function thing(name: string, given: Given = {}): ManagedResource {
  const { external, state, recordOf = name, recordName = external ?? name, config = 'default', recordConfig = config } = given
  return {
    apiVersion: 'fake.weft.dev/v1',
    kind: 'Thing',
    metadata: {
      name,
      uid: name,
      annotations: {
        ...given.annotations,
        ...(external !== undefined && { 'crossplane.io/external-name': external }),
        ...(state !== undefined && { [OWNERSHIP]: formatOwnership({ uid: recordOf, state, config: recordConfig, name: recordName }) }),
      },
      ...(given.deleted && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    spec: { providerConfigRef: { name: config }, ...(given.observing && { managementPolicies: ['Observe'] }) },
  }
}

describe('decideOwnership', () => {
  it.each<[reason: string, self: ManagedResource, others: ManagedResource[], expected: string]>([
    ['its own name, alone: no reservation', thing('db'), [], 'own'],
    ['another name, alone: reserves it first', thing('x', { external: 'db' }), [], 'reserve'],
    ['a reservation that is seen, alone', thing('x', { external: 'db', state: 'reserved' }), [], 'own'],
    ['the name of another object', thing('x', { external: 'db' }), [thing('db')], 'taken'],
    ['…even with a reservation', thing('x', { external: 'db', state: 'reserved' }), [thing('db')], 'taken'],
    ['its own name, held by another already', thing('db'), [thing('x', { external: 'db', state: 'held' })], 'taken'],
    ['its own name, adopted by another already', thing('db'), [thing('x', { external: 'db', state: 'adopted' })], 'taken'],
    ['its own name, reserved by another: that one gives way', thing('db'), [thing('x', { external: 'db', state: 'reserved' })], 'wait'],
    ['held, whatever others ask', thing('db', { state: 'held' }), [thing('x', { external: 'db', state: 'reserved' })], 'own'],
    [
      'a copy of an object has the record of another',
      thing('x', { external: 'db', state: 'held', recordOf: 'db' }),
      [thing('db')],
      'taken',
    ],
    ['an owner that is going still owns', thing('x', { external: 'db' }), [thing('db', { state: 'held', deleted: true })], 'taken'],
    ['one that goes and never owned does not count', thing('x', { external: 'db' }), [thing('db', { deleted: true })], 'reserve'],
    ['one that is paused does not count', thing('x', { external: 'db' }), [thing('db', { annotations: { [PAUSED]: 'true' } })], 'reserve'],
    ['one that only looks does not count', thing('x', { external: 'db' }), [thing('db', { observing: true })], 'reserve'],
    [
      'two reservations: the older waits',
      thing('a', { external: 'db', state: 'reserved' }),
      [thing('b', { external: 'db', state: 'reserved' })],
      'wait',
    ],
    [
      'two reservations: the younger withdraws',
      thing('b', { external: 'db', state: 'reserved' }),
      [thing('a', { external: 'db', state: 'reserved' })],
      'taken',
    ],
    [
      'two reservations: who created it comes first',
      thing('b', { external: 'db', state: 'reserved', annotations: { [CREATE_SUCCEEDED]: '2026-01-01T00:00:00Z' } }),
      [thing('a', { external: 'db', state: 'reserved' })],
      'wait',
    ],
    ['one that owns something cannot switch to another', thing('x', { external: 'db', state: 'held', recordName: 'old' }), [], 'moved'],
    ['…nor in another configuration', thing('db', { state: 'held', config: 'other', recordConfig: 'default' }), [], 'moved'],
  ])('%s', (_reason, self, others, expected) => {
    expect(decideOwnership(kind, self, others).type).toBe(expected)
  })

  it.each<[reason: string, self: ManagedResource, other: ManagedResource, expected: string]>([
    ['held there', thing('x', { external: 'db' }), thing('y', { external: 'db', state: 'held', config: 'alias' }), 'taken'],
    [
      'reserved there, later',
      thing('a', { external: 'db', state: 'reserved' }),
      thing('b', { external: 'db', state: 'reserved', config: 'alias' }),
      'wait',
    ],
    [
      'reserved there, earlier',
      thing('b', { external: 'db', state: 'reserved' }),
      thing('a', { external: 'db', state: 'reserved', config: 'alias' }),
      'taken',
    ],
    ['its own name there', thing('x', { external: 'db' }), thing('db', { config: 'alias' }), 'taken'],
    ['held where nobody knows of the other', thing('x', { external: 'db', state: 'held' }), thing('y', { external: 'db' }), 'own'],
    ['in a configuration that leads elsewhere', thing('x', { external: 'db' }), thing('y', { external: 'db', config: 'other' }), 'reserve'],
  ])('counts a name in a configuration that leads to the same system: %s', (_reason, self, other, expected) => {
    expect(decideOwnership(kind, self, [other], new Set(['alias'])).type).toBe(expected)
  })

  it('takes a name of its own for no reservation where another namespace can have the same', () => {
    const inNamespace = (namespace: string, state?: OwnershipState): ManagedResource => {
      const made = thing('db', state === undefined ? {} : { state, recordOf: namespace })
      return { ...made, metadata: { ...made.metadata, namespace, uid: namespace } }
    }
    expect(decideOwnership(kind, inNamespace('a'), []).type).toBe('reserve')
    expect(decideOwnership(kind, inNamespace('a'), [inNamespace('b', 'held')]).type).toBe('taken')
    const scoped: ManagedKind = { ...kind, configScope: 'Namespaced' }
    expect(identityOf(scoped, inNamespace('a'))).not.toEqual(identityOf(scoped, inNamespace('b')))
  })

  it('says that a reservation that is in the way is to be withdrawn', () => {
    expect(decideOwnership(kind, thing('x', { external: 'db', state: 'reserved' }), [thing('db')])).toEqual({
      type: 'taken',
      withdraw: true,
    })
    expect(decideOwnership(kind, thing('x', { external: 'db' }), [thing('db')])).toEqual({ type: 'taken', withdraw: false })
  })
})

/**
 * The protocol, with controllers whose informers lag as they like: history is a list of writes, a view is a part of it from its beginning, a
 * write fails unless it is of the newest version of its object. Nobody may ever come to hold what another holds.
 */
interface Write {
  readonly object: ManagedResource | undefined
  readonly name: string
}

class Model {
  readonly history: Write[] = []
  readonly view: number[]

  constructor(controllers: number) {
    this.view = Array.from({ length: controllers }, () => 0)
  }

  at(revision: number): Map<string, { readonly object: ManagedResource; readonly version: number }> {
    const objects = new Map<string, { readonly object: ManagedResource; readonly version: number }>()
    this.history.slice(0, revision).forEach(({ name, object }, version) => {
      if (object === undefined) objects.delete(name)
      else objects.set(name, { object, version })
    })
    return objects
  }

  catchUp(controller: number, by: number): void {
    this.view[controller] = Math.min(this.history.length, (this.view[controller] ?? 0) + by)
  }

  change(name: string, change: (object: ManagedResource) => ManagedResource | undefined): void {
    const current = this.at(this.history.length).get(name)
    if (current !== undefined) this.history.push({ name, object: change(current.object) })
  }

  /** One reconcile, on the controller's view; its write is lost if the object changed meanwhile. */
  reconcile(controller: number, name: string): void {
    const seen = this.at(this.view[controller] ?? 0)
    const self = seen.get(name)
    if (self === undefined || self.object.metadata.deletionTimestamp !== undefined) return
    if (self.object.metadata.annotations?.[PAUSED] === 'true') return
    const decision = decideOwnership(
      kind,
      self.object,
      [...seen.values()].map(({ object }) => object),
    )
    const state = decision.type === 'own' ? 'held' : decision.type === 'reserve' ? 'reserved' : undefined
    const withdraws = decision.type === 'taken' && decision.withdraw
    if (state === undefined && !withdraws) return
    if (state === ownershipOf(self.object)?.state) return
    if (this.at(this.history.length).get(name)?.version !== self.version) return
    this.history.push({ name, object: withState(self.object, state) })
  }

  owners(): readonly string[] {
    const owners = [...this.at(this.history.length).values()].flatMap(({ object }) => {
      const record = ownershipOf(object)
      return record?.state === 'held' ? [`${record.config}/${record.name}`] : []
    })
    return owners
  }
}

function withState(object: ManagedResource, state: OwnershipState | undefined): ManagedResource {
  const identity = identityOf(kind, object)
  const { [OWNERSHIP]: _old, ...annotations } = object.metadata.annotations ?? {}
  const record =
    state === undefined || identity === undefined
      ? {}
      : { [OWNERSHIP]: formatOwnership({ uid: object.metadata.uid ?? '', state, ...identity }) }
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, ...record } } }
}

const annotate = (object: ManagedResource, name: string, value: string): ManagedResource => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [name]: value } },
})

/** Few names and few controllers: what goes wrong does so where they meet. */
const NAMES = ['db', 'x', 'y']
const EXTERNAL = ['db', 'db', 'db', 'other']
const CONTROLLERS = 2
const name = fc.constantFrom(...NAMES)
const controller = fc.nat({ max: CONTROLLERS - 1 })
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), name, external: fc.constantFrom(...EXTERNAL) }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('reconcile' as const), name, controller }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('catch up' as const), controller, by: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const), name, paused: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rename' as const), name, external: fc.constantFrom('db', 'other') }) },
)

describe('any number of control planes, however far behind', () => {
  it('never give one external resource two owners', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 40, maxLength: 120, size: 'max' }), (steps) => {
        const model = new Model(CONTROLLERS)
        let lives = 0
        for (const each of steps) {
          switch (each.do) {
            case 'create': {
              if (model.at(model.history.length).has(each.name)) break
              const made = thing(each.name, each.name === 'db' ? {} : { external: each.external })
              model.history.push({ name: each.name, object: { ...made, metadata: { ...made.metadata, uid: `${each.name}-${++lives}` } } })
              break
            }
            case 'reconcile':
              model.reconcile(each.controller, each.name)
              break
            case 'catch up':
              model.catchUp(each.controller, each.by)
              break
            case 'delete':
              model.change(each.name, () => undefined)
              break
            case 'pause':
              model.change(each.name, (object) => annotate(object, PAUSED, String(each.paused)))
              break
            case 'rename':
              model.change(each.name, (object) => annotate(object, 'crossplane.io/external-name', each.external))
              break
          }
          const owners = model.owners()
          expect(new Set(owners).size, `${owners.join(', ')} after ${JSON.stringify(each)}`).toBe(owners.length)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('give the name to somebody once they have all caught up', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const model = new Model(CONTROLLERS)
        for (const each of NAMES) model.history.push({ name: each, object: thing(each, each === 'db' ? {} : { external: 'db' }) })
        for (const each of steps) {
          if (each.do === 'reconcile') model.reconcile(each.controller, each.name)
          if (each.do === 'catch up') model.catchUp(each.controller, each.by)
        }
        for (let round = 0; round < 8; round++)
          for (const each of NAMES) {
            model.catchUp(0, Infinity)
            model.reconcile(0, each)
          }
        expect(model.owners().toSorted()).toEqual(['default/db'])
      }),
      { numRuns: 500 },
    )
  })
})
