import assert from 'node:assert/strict'
import { specOf } from '@weft/api'
import { externalName } from '@weft/composition'
import type { ManagedResource } from '../resource/managed-resource.ts'
import type { ConformanceSubject } from './subject.ts'
import type { World } from './world.ts'

/** Long enough for several polls and retries at the intervals of a test world; nothing more will happen after it. */
const QUIET_MS = 700

/** Waits until the number of external resources of the name is `wanted`. Nothing to count: fine. */
export async function expectCount(
  { eventually }: World,
  { external, timeoutMs }: ConformanceSubject,
  name: string,
  wanted: number,
): Promise<void> {
  const { count } = external
  if (count === undefined) return
  await eventually(async () => assert.equal(await count(name), wanted, `external resources named ${name}`), timeoutMs)
}

/** Several polls later it is still so. */
export async function expectStays(world: World, subject: ConformanceSubject, name: string, wanted: number): Promise<void> {
  await pause(QUIET_MS)
  await expectCount(world, subject, name, wanted)
}

export async function expectMatches(
  { eventually }: World,
  { external, timeoutMs }: ConformanceSubject,
  resource: ManagedResource,
): Promise<void> {
  const { matches } = external
  if (matches === undefined) return
  await eventually(
    async () => assert.ok(await matches(resource), `external resource ${externalName(resource)} is not as wanted`),
    timeoutMs,
  )
}

export async function expectEvent(world: World, resource: ManagedResource, reason: string): Promise<void> {
  await world.eventually(async () => {
    const reasons = (await world.events(resource)).map((event) => event.reason)
    assert.ok(reasons.includes(reason), `no event ${reason}, but ${reasons.join(', ')}`)
  })
}

export const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

export const withSpec = (resource: ManagedResource, changes: object): ManagedResource => ({
  ...resource,
  spec: { ...specOf(resource), ...changes },
})

export const annotated = (resource: ManagedResource, annotations: Readonly<Record<string, string>>): ManagedResource => ({
  ...resource,
  metadata: { ...resource.metadata, annotations: { ...resource.metadata.annotations, ...annotations } },
})

/** The object is no longer wanted: cleaned up whatever state it is in. */
export async function discard(world: World, subject: ConformanceSubject, resource: ManagedResource): Promise<void> {
  await world.delete(resource)
  await world.gone(resource, subject.timeoutMs)
}
