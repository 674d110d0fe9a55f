import assert from 'node:assert/strict'
import { findCondition, hasReason, SYSTEM_NAMESPACE, withMeta } from '@weft/api'
import { ADOPT, EXTERNAL_NAME } from '@weft/composition'
import { CREATE_AGAIN } from '../resource/annotations.ts'
import { type ManagedResource, statusOf } from '../resource/managed-resource.ts'
import { annotated, discard, expectCount, expectEvent, expectStays, pause, withSpec } from './expectations.ts'
import { type ConditionalCase, type ConformanceSubject, SECRET_NAMESPACE } from './subject.ts'
import type { World } from './world.ts'

/** Kinds whose external resource is told by its name: of the others two resources cannot ask for one by annotation. */
const named = ({ identifiedBy = 'name' }: ConformanceSubject): boolean => identifiedBy === 'name'

const refused = async (world: World, subject: ConformanceSubject, resource: ManagedResource, reason: string): Promise<void> => {
  await world.eventually(async () => {
    const synced = findCondition(statusOf((await world.find(resource)) ?? resource).conditions, 'Synced')
    assert.deepEqual([synced?.status, synced?.reason], ['False', reason], JSON.stringify(synced))
  }, subject.timeoutMs)
}

const calling = (resource: ManagedResource, name: string): ManagedResource => annotated(resource, { [EXTERNAL_NAME]: name })

async function expectNoSecret(world: World, resource: ManagedResource): Promise<void> {
  const { items } = await world.client.list({ group: '', kind: 'Secret' }, { namespace: SECRET_NAMESPACE })
  const uid = (await world.find(resource))?.metadata.uid
  const own = items.filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid))
  assert.deepEqual(
    own.map(({ metadata }) => metadata.name),
    [],
    `${resource.metadata.name ?? ''} was given what opens another's external resource`,
  )
}

/** As a claim, a requirement or a composite makes it: somebody else controls it. */
async function madeForSomebody(world: World, resource: ManagedResource): Promise<ManagedResource> {
  const owner = await world.client.get({ group: '', kind: 'Namespace' }, { name: SECRET_NAMESPACE })
  const { name = '', uid = '' } = owner.metadata
  return withMeta(resource, { ownerReferences: [{ apiVersion: 'v1', kind: 'Namespace', name, uid, controller: true }] })
}

const NOTICE = { group: '', kind: 'ConfigMap' }
const NOTICE_REF = { namespace: SYSTEM_NAMESPACE, name: 'weft-restored' }

/** As a control plane does that starts on a store which was made from a backup. */
async function restoredNow(world: World): Promise<void> {
  await world.client
    .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NOTICE_REF.namespace } })
    .catch((error: unknown) => assert.ok(hasReason(error, 'AlreadyExists'), String(error)))
  await world.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: NOTICE_REF, data: { restoredAt: new Date().toISOString() } })
}

/** One external resource has one owner. */
export const ownershipCases: readonly ConditionalCase[] = [
  {
    name: 'an external name belongs to the first: another is refused, gets no secret, and takes nothing along when it goes',
    applies: named,
    async run(world, subject) {
      const first = withSpec(subject.resource('owned'), { deletionPolicy: 'Delete' })
      const thief = calling(withSpec(subject.resource('thief'), { deletionPolicy: 'Delete' }), 'owned')
      await world.apply(first)
      const before = await world.ready(first, subject.timeoutMs)
      await world.apply(thief)
      await refused(world, subject, thief, 'ExternalNameTaken')
      await expectEvent(world, thief, 'ExternalNameTaken')
      assert.notEqual(findCondition(statusOf((await world.find(thief)) ?? thief).conditions, 'Ready')?.status, 'True')
      await world.restart()
      await expectStays(world, subject, 'owned', 1)
      await refused(world, subject, thief, 'ExternalNameTaken')
      await expectNoSecret(world, thief)
      await discard(world, subject, thief)
      await expectStays(world, subject, 'owned', 1)
      const after = await world.ready(first, subject.timeoutMs)
      assert.equal(after.metadata.resourceVersion, before.metadata.resourceVersion, 'the first was written because of the second')
      await discard(world, subject, first)
    },
  },
  {
    name: 'a refused resource gets the name when the first is gone, without anybody asking',
    applies: named,
    async run(world, subject) {
      const first = withSpec(subject.resource('heir-of'), { deletionPolicy: 'Delete' })
      const second = calling(withSpec(subject.resource('heir'), { deletionPolicy: 'Delete' }), 'heir-of')
      await world.apply(first)
      await world.ready(first, subject.timeoutMs)
      await world.apply(second)
      await refused(world, subject, second, 'ExternalNameTaken')
      await discard(world, subject, first)
      await world.ready(second, subject.timeoutMs)
      await expectCount(world, subject, 'heir-of', 1)
      await discard(world, subject, second)
      await expectCount(world, subject, 'heir-of', 0)
    },
  },
  {
    name: 'of several that ask for one external name at the same moment exactly one gets it',
    applies: named,
    async run(world, subject) {
      const names = ['rival-a', 'rival-b', 'rival-c']
      const rivals = names.map((name) => calling(withSpec(subject.resource(name), { deletionPolicy: 'Delete' }), 'contested'))
      await Promise.all(rivals.map((rival) => world.apply(rival)))
      const reasons = (): Promise<string[]> =>
        Promise.all(
          rivals.map(async (rival) => findCondition(statusOf((await world.find(rival)) ?? rival).conditions, 'Synced')?.reason ?? ''),
        )
      await world.eventually(
        async () =>
          assert.deepEqual((await reasons()).toSorted(), ['ExternalNameTaken', 'ExternalNameTaken', 'ReconcileSuccess'], 'one owner'),
        subject.timeoutMs,
      )
      await expectStays(world, subject, 'contested', 1)
      for (const rival of rivals) await world.delete(rival)
      for (const rival of rivals) await world.gone(rival, subject.timeoutMs)
      await expectStays(world, subject, 'contested', 0)
    },
  },
  {
    name: 'what was made for somebody does not take over what exists, unless an operator allows it',
    applies: ({ external, adoption = 'asked' }) => external.make !== undefined && external.remove !== undefined && adoption === 'asked',
    async run(world, subject) {
      const resource = await madeForSomebody(world, withSpec(subject.resource('found'), { deletionPolicy: 'Delete' }))
      await subject.external.make?.(resource)
      await world.apply(resource)
      await refused(world, subject, resource, 'ExternalResourceExists')
      await expectEvent(world, resource, 'ExternalResourceExists')
      await expectNoSecret(world, resource)
      await discard(world, subject, resource)
      await expectStays(world, subject, 'found', 1)
      await world.apply(resource)
      await refused(world, subject, resource, 'ExternalResourceExists')
      await world.edit(resource, (current) => annotated(current, { [ADOPT]: 'true' }))
      await world.ready(resource, subject.timeoutMs)
      await expectEvent(world, resource, 'AdoptedExternalResource')
      await discard(world, subject, resource)
      await expectCount(world, subject, 'found', 0)
    },
  },
  {
    name: 'observe-only may look at what another owns, and publishes nothing of it',
    applies: named,
    async run(world, subject) {
      const owner = withSpec(subject.resource('shown'), { deletionPolicy: 'Delete' })
      const onlooker = calling(withSpec(subject.resource('onlooker'), { managementPolicies: ['Observe'] }), 'shown')
      await world.apply(owner)
      await world.ready(owner, subject.timeoutMs)
      await world.apply(onlooker)
      await world.ready(onlooker, subject.timeoutMs)
      await expectNoSecret(world, onlooker)
      await discard(world, subject, onlooker)
      await expectStays(world, subject, 'shown', 1)
      await discard(world, subject, owner)
    },
  },
  {
    name: 'an external name that was established cannot be changed: it is said, and nothing is done to either',
    applies: named,
    async run(world, subject) {
      const resource = withSpec(subject.resource('settled'), { deletionPolicy: 'Delete' })
      await world.apply(resource)
      await world.ready(resource, subject.timeoutMs)
      await world.edit(resource, (current) => calling(current, 'elsewhere'))
      await refused(world, subject, resource, 'ExternalNameChanged')
      await expectStays(world, subject, 'elsewhere', 0)
      await expectCount(world, subject, 'settled', 1)
      await world.edit(resource, (current) => calling(current, 'settled'))
      await world.condition(resource, 'Synced', 'True', subject.timeoutMs)
      await discard(world, subject, resource)
      await expectCount(world, subject, 'settled', 0)
    },
  },
  {
    name: 'what is gone after a restore from a backup is not made again in silence, but when somebody says so',
    applies: ({ external }) => external.remove !== undefined,
    async run(world, subject) {
      const resource = withSpec(subject.resource('lost'), { deletionPolicy: 'Delete' })
      await world.apply(resource)
      await world.ready(resource, subject.timeoutMs)
      await world.stop()
      await subject.external.remove?.('lost')
      // Times are told in milliseconds.
      await pause(5)
      await restoredNow(world)
      try {
        await world.restart()
        await refused(world, subject, resource, 'ExternalResourceLost')
        await expectEvent(world, resource, 'ExternalResourceLost')
        assert.equal(findCondition(statusOf((await world.find(resource)) ?? resource).conditions, 'Ready')?.status, 'False')
        await expectStays(world, subject, 'lost', 0)
        await world.edit(resource, (current) => annotated(current, { [CREATE_AGAIN]: 'true' }))
        const again = await world.ready(resource, subject.timeoutMs)
        assert.equal(again.metadata.annotations?.[CREATE_AGAIN], undefined, 'consent is for once')
        await expectCount(world, subject, 'lost', 1)
        // What was made since then is repaired as ever.
        await subject.external.remove?.('lost')
        await expectCount(world, subject, 'lost', 1)
      } finally {
        await world.client.delete(NOTICE, NOTICE_REF)
      }
      await discard(world, subject, resource)
    },
  },
]
