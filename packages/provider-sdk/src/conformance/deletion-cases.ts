import { statusOf } from '../resource/managed-resource.ts'
import assert from 'node:assert/strict'
import { discard, expectCount, expectEvent, expectStays, withSpec } from './expectations.ts'
import type { ConditionalCase, ConformanceSubject } from './subject.ts'

const hasExternal = ({ external }: ConformanceSubject): boolean => external.count !== undefined

/** What goes, and what stays. */
export const deletionCases: readonly ConditionalCase[] = [
  {
    name: 'deletionPolicy Delete: the external resource goes, then the managed one',
    async run(world, subject) {
      const resource = withSpec(subject.resource('goes'), { deletionPolicy: 'Delete' })
      await world.apply(resource)
      await world.ready(resource, subject.timeoutMs)
      await world.delete(resource)
      await world.gone(resource, subject.timeoutMs)
      // At once, not eventually: the managed resource is the last to go.
      if (subject.external.count !== undefined) assert.equal(await subject.external.count('goes'), 0)
      if (hasExternal(subject)) await expectEvent(world, resource, 'DeletedExternalResource')
    },
  },
  ...(['deletionPolicy: Orphan', 'reclaimPolicy: Retain'] as const).map((policy): ConditionalCase => ({
    name: `${policy}: the external resource stays, and a managed resource of the same name adopts it`,
    applies: hasExternal,
    async run(world, subject) {
      const [field = '', value = ''] = policy.split(': ')
      const name = field === 'deletionPolicy' ? 'orphan' : 'retained'
      const resource = withSpec(subject.resource(name), { [field]: value })
      await world.apply(resource)
      await world.ready(resource, subject.timeoutMs)
      await discard(world, subject, resource)
      await expectStays(world, subject, name, 1)
      const again = withSpec(subject.resource(name), { deletionPolicy: 'Delete' })
      await world.apply(again)
      await world.ready(again, subject.timeoutMs)
      await expectStays(world, subject, name, 1)
      await discard(world, subject, again)
      await expectCount(world, subject, name, 0)
    },
  })),
  {
    name: 'a resource that is deleted before it was ever made leaves nothing behind',
    async run(world, subject) {
      const resource = withSpec(subject.resource('fleeting'), { deletionPolicy: 'Delete' })
      await world.apply(resource)
      await world.delete(resource)
      await world.gone(resource, subject.timeoutMs)
      await expectStays(world, subject, 'fleeting', 0)
    },
  },
  {
    name: 'what somebody removed by hand already is let go',
    applies: ({ external }) => external.remove !== undefined,
    async run(world, subject) {
      const resource = withSpec(subject.resource('beaten'), { deletionPolicy: 'Delete' })
      await world.apply(resource)
      await world.ready(resource, subject.timeoutMs)
      await world.stop()
      await subject.external.remove?.('beaten')
      await world.delete(resource)
      await world.restart()
      await world.gone(resource, subject.timeoutMs)
      await expectCount(world, subject, 'beaten', 0)
    },
  },
  {
    name: 'a Released resource never becomes Unbound again',
    async run(world, subject) {
      const resource = subject.resource('released')
      await world.apply(resource)
      const ready = await world.ready(resource, subject.timeoutMs)
      assert.equal(statusOf(ready).bindingPhase, 'Unbound')
      await world.eventually(async () => {
        const current = (await world.find(resource)) ?? resource
        await world.client.updateStatus({ ...current, status: { ...statusOf(current), bindingPhase: 'Released' } })
      })
      await expectStays(world, subject, 'released', 1)
      assert.equal(statusOf((await world.find(resource)) ?? resource).bindingPhase, 'Released')
      await discard(world, subject, resource)
    },
  },
]
