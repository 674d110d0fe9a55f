import assert from 'node:assert/strict'
import { findCondition } from '@weft/api'
import { statusOf } from '../resource/managed-resource.ts'
import { discard, expectCount, expectMatches, expectStays, pause, withSpec } from './expectations.ts'
import type { ConditionalCase, ConformanceSubject } from './subject.ts'
import type { World } from './world.ts'

type FaultName = keyof NonNullable<ConformanceSubject['faults']>

/** Creates and deletes under a fault: in the end there is exactly one external resource, then none. */
const survives = (fault: FaultName, what: string): ConditionalCase => ({
  name: `${what}: in the end there is exactly one external resource, and after deletion none`,
  applies: ({ faults }) => faults?.[fault] !== undefined,
  async run(world, subject) {
    const begin = async (): Promise<() => Promise<void>> => (await subject.faults?.[fault]?.()) ?? (() => Promise.resolve())
    const name = `under-${fault.toLowerCase()}`
    const resource = withSpec(subject.resource(name), { deletionPolicy: 'Delete' })
    const end = await begin()
    await world.apply(resource)
    await pause(400)
    await end()
    await world.ready(resource, subject.timeoutMs)
    await expectMatches(world, subject, resource)
    await expectStays(world, subject, name, 1)
    const endAgain = await begin()
    await world.delete(resource)
    await pause(400)
    await endAgain()
    await world.gone(resource, subject.timeoutMs)
    await expectStays(world, subject, name, 0)
  },
})

/** Breaks credentials while `resource` is applied, and expects it to say so and to recover. */
async function withoutCredentials(world: World, subject: ConformanceSubject, how: 'missing' | 'wrong'): Promise<void> {
  const { credentials } = subject
  if (credentials === undefined) return
  const resource = subject.resource(`credentials-${how}`)
  await credentials[how](world)
  try {
    await world.apply(resource)
    const current = await world.condition(resource, 'Synced', 'False', subject.timeoutMs)
    assert.equal(findCondition(statusOf(current).conditions, 'Synced')?.reason, 'ReconcileError')
    assert.notEqual(findCondition(statusOf(current).conditions, 'Ready')?.status, 'True')
  } finally {
    await credentials.restore(world)
  }
  await world.ready(resource, subject.timeoutMs)
  await expectCount(world, subject, `credentials-${how}`, 1)
  await discard(world, subject, resource)
}

/** Things that go wrong, and must come right again. */
export const adverseCases: readonly ConditionalCase[] = [
  ...(['missing', 'wrong'] as const).map((how): ConditionalCase => ({
    name: `credentials ${how}: says so, and recovers when they are right`,
    applies: ({ credentials }) => credentials !== undefined,
    run: (world, subject) => withoutCredentials(world, subject, how),
  })),
  {
    name: 'credentials rotated: goes on with the new ones',
    applies: ({ credentials, change }) => credentials?.rotate !== undefined && change !== undefined,
    async run(world, subject) {
      const resource = subject.resource('rotating')
      await world.apply(resource)
      await world.ready(resource, subject.timeoutMs)
      await subject.credentials?.rotate?.(world)
      const changed = subject.change?.(resource) ?? resource
      await world.apply(changed)
      await expectMatches(world, subject, changed)
      await discard(world, subject, resource)
    },
  },
  survives('down', 'the external system is down'),
  survives('slow', 'the external system is slow'),
  survives('throttling', 'the external system throttles'),
  survives('losingAnswers', 'answers of the external system get lost'),
  {
    name: 'stopped in the middle of everything and started again: one external resource each, and none of what was deleted',
    async run(world, subject) {
      const names = ['stopped-a', 'stopped-b', 'stopped-c']
      const resources = names.map((name) => withSpec(subject.resource(name), { deletionPolicy: 'Delete' }))
      for (const resource of resources) await world.apply(resource)
      for (let i = 0; i < 3; i++) {
        await pause(20 * i)
        await world.restart()
      }
      for (const resource of resources) await world.ready(resource, subject.timeoutMs)
      for (const name of names) await expectCount(world, subject, name, 1)
      for (const resource of resources) await world.delete(resource)
      for (let i = 0; i < 3; i++) {
        await pause(20 * i)
        await world.restart()
      }
      for (const resource of resources) await world.gone(resource, subject.timeoutMs)
      for (const name of names) await expectCount(world, subject, name, 0)
    },
  },
]
