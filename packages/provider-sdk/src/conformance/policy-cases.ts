import assert from 'node:assert/strict'
import { findCondition } from '@weft/api'
import { PAUSED } from '../resource/annotations.ts'
import { statusOf } from '../resource/managed-resource.ts'
import { annotated, discard, expectCount, expectMatches, expectStays, pause, withSpec } from './expectations.ts'
import type { ConditionalCase } from './subject.ts'

/** What may not be touched is not touched. */
export const policyCases: readonly ConditionalCase[] = [
  {
    name: 'observe-only: never creates, adopts what appears, never changes it, never deletes it',
    applies: ({ external }) => external.make !== undefined && external.drift !== undefined && external.remove !== undefined,
    async run(world, subject) {
      const { make, drift, remove, matches } = subject.external
      const resource = withSpec(subject.resource('watched'), { managementPolicies: ['Observe'] })
      await world.apply(resource)
      await world.condition(resource, 'Synced', 'False', subject.timeoutMs)
      await expectStays(world, subject, 'watched', 0)
      await make?.(resource)
      await world.ready(resource, subject.timeoutMs)
      await drift?.('watched')
      await expectStays(world, subject, 'watched', 1)
      if (matches !== undefined) assert.equal(await matches(resource), false, 'an observe-only resource was changed')
      await discard(world, subject, resource)
      await expectStays(world, subject, 'watched', 1)
      await remove?.('watched')
    },
  },
  {
    name: 'without "Update" it repairs nothing',
    applies: ({ external }) => external.drift !== undefined && external.matches !== undefined,
    async run(world, subject) {
      const resource = withSpec(subject.resource('frozen'), { managementPolicies: ['Observe', 'Create', 'Delete'] })
      await world.apply(resource)
      await world.ready(resource, subject.timeoutMs)
      await subject.external.drift?.('frozen')
      await pause(700)
      assert.equal(await subject.external.matches?.(resource), false, 'a resource that must not be updated was')
      await discard(world, subject, resource)
      await expectCount(world, subject, 'frozen', 0)
    },
  },
  {
    name: 'says what is wrong with management policies that make no sense',
    async run(world, subject) {
      const resource = withSpec(subject.resource('senseless'), { managementPolicies: ['Create'] })
      await world.apply(resource)
      const current = await world.condition(resource, 'Synced', 'False', subject.timeoutMs)
      assert.match(findCondition(statusOf(current).conditions, 'Synced')?.message ?? '', /managementPolicies/)
      await expectCount(world, subject, 'senseless', 0)
      await discard(world, subject, resource)
    },
  },
  {
    name: 'does nothing while paused, not even deletion, and goes on afterwards',
    async run(world, subject) {
      const resource = annotated(subject.resource('paused'), { [PAUSED]: 'true' })
      await world.apply(resource)
      const current = await world.condition(resource, 'Synced', 'False', subject.timeoutMs)
      assert.equal(findCondition(statusOf(current).conditions, 'Synced')?.reason, 'ReconcilePaused')
      await expectStays(world, subject, 'paused', 0)
      await world.edit(resource, (paused) => annotated(paused, { [PAUSED]: 'false' }))
      await world.ready(resource, subject.timeoutMs)
      await expectCount(world, subject, 'paused', 1)

      await world.edit(resource, (managed) => annotated(managed, { [PAUSED]: 'true' }))
      await world.condition(resource, 'Synced', 'False', subject.timeoutMs)
      await world.delete(resource)
      await expectStays(world, subject, 'paused', 1)
      assert.ok(await world.find(resource), 'a paused resource was let go')
      await world.edit(resource, (deleted) => annotated(deleted, { [PAUSED]: 'false' }))
      await world.gone(resource, subject.timeoutMs)
      await expectCount(world, subject, 'paused', 0)
    },
  },
  {
    name: 'drift while paused is repaired once it is no longer paused',
    applies: ({ external }) => external.drift !== undefined && external.matches !== undefined,
    async run(world, subject) {
      const resource = subject.resource('resumed')
      await world.apply(resource)
      await world.ready(resource, subject.timeoutMs)
      await world.edit(resource, (current) => annotated(current, { [PAUSED]: 'true' }))
      await world.condition(resource, 'Synced', 'False', subject.timeoutMs)
      await subject.external.drift?.('resumed')
      await pause(700)
      assert.equal(await subject.external.matches?.(resource), false, 'a paused resource was changed')
      await world.edit(resource, (current) => annotated(current, { [PAUSED]: 'false' }))
      await expectMatches(world, subject, resource)
      await discard(world, subject, resource)
    },
  },
]
