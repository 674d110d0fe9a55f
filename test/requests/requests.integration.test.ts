import type { KubeObject } from '@weft/api'
import { eventually } from '@weft/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NAMESPACE, composed, typed } from '../../bench/claims/worlds.ts'
import { composites, definitions } from '../../bench/composites/world.ts'
import { nopResources } from '../../bench/managed/nop-resources.ts'
import type { Subject } from '../../bench/plane/load.ts'
import { untilServed } from '../../bench/plane/plane.ts'
import { platform, xrs } from '../../bench/xrs/world.ts'
import { type CountedPlane, startCountedPlane } from './counted.ts'
import { isAvailable, isBound } from './is-settled.ts'

let plane: CountedPlane
beforeAll(async () => {
  plane = await startCountedPlane()
  const { client } = plane
  await untilServed(client, nopResources.kind)
  for (const name of [NAMESPACE, 'crossplane-system'])
    await client.patch(
      { version: 'v1', group: '', kind: 'Namespace' },
      { name },
      { type: 'apply', body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } },
      { fieldManager: 'test' },
    )
  for (const object of [...platform, ...definitions, ...typed.classes, ...composed.classes]) await client.create(object)
  for (const { kind } of [xrs, composites, typed]) await untilServed(client, kind)
})
afterAll(() => plane.stop())

/**
 * How often each request is made. A range where it depends on how changes fall together: members report one by one or all at once, and whoever follows them
 * looks once for each or once for all.
 */
type Expected = Readonly<Record<string, number | readonly [least: number, most: number]>>

interface Design {
  readonly name: string
  readonly subject: Subject
  readonly isReady?: (object: KubeObject) => boolean
  readonly expected: Expected
}

/** docs/performance.md tells of each why it is needed. */
const MEMBER: Expected = { 'providers update nopresources 200': 3, 'providers update nopresources/status 200': 3 }
const SECRETS: Expected = { 'providers create secrets 201': 3 }

const CLAIM: Expected = {
  'test-user create mysqlinstances 201': 1,
  'claims update mysqlinstances 200': 2,
  'claims update mysqlinstances/status 200': [2, 4],
  'claims get mysqlinstances 200': [0, 2],
  'claims get secrets 404': [0, 3],
}

const designs: readonly Design[] = [
  {
    name: 'a managed resource',
    subject: nopResources,
    expected: {
      'test-user create nopresources 201': 1,
      'providers update nopresources 200': 1,
      'providers update nopresources/status 200': 1,
    },
  },
  {
    name: 'a composite resource by functions',
    subject: xrs,
    expected: {
      ...MEMBER,
      'test-user create benchxrs 201': 1,
      'composition update benchxrs 200': 1,
      'composition patch benchxrs 200': 1,
      'composition patch nopresources 201': 3,
      'composition patch benchxrs/status 200': 1,
      'composition get benchxrs 200': [2, 9],
      'composition update benchxrs/status 200': [2, 5],
      'watches create events 201': [3, 5],
    },
  },
  {
    name: 'a composite by templates',
    subject: composites,
    expected: {
      ...MEMBER,
      ...SECRETS,
      'test-user create benchcomposites 201': 1,
      'composition update benchcomposites 200': 1,
      'composition patch nopresources 201': 3,
      'composition create secrets 201': 1,
      'composition get benchcomposites 200': [2, 8],
      'composition update benchcomposites/status 200': [2, 5],
      'composition update secrets 200': [0, 2],
      'watches create events 201': 2,
    },
  },
  {
    name: 'a claim by a class',
    subject: typed,
    isReady: isBound,
    expected: {
      ...CLAIM,
      'providers update nopresources 200': 1,
      'providers create secrets 201': 1,
      'providers update nopresources/status 200': 1,
      'claims create nopresources 201': 1,
      'claims update nopresources/status 200': 1,
      'claims create secrets 201': 1,
      'claims update secrets 200': 1,
      'claims get secrets 200': [0, 2],
      'watches create events 201': 2,
    },
  },
  {
    name: 'a claim by a class of several',
    subject: composed,
    isReady: isBound,
    expected: {
      ...MEMBER,
      ...SECRETS,
      ...CLAIM,
      'claims create compositeresources 201': 1,
      // Each is tried without being made before anything is, so that all can be made or none is.
      'claims create nopresources 201': 6,
      'claims update nopresources/status 200': 3,
      'claims update compositeresources/status 200': [2, 6],
      'claims create secrets 201': 2,
      'claims update secrets 200': [0, 1],
      'claims get secrets 200': [0, 3],
      'watches create events 201': 3,
    },
  },
]

test.each(designs)('$name takes no more requests than it must', async ({ name: design, subject, isReady = isAvailable, expected }) => {
  const make = async (name: string): Promise<void> => {
    const object = await plane.client.create(subject.object(name))
    const { namespace } = object.metadata
    await eventually(async () => expect(await plane.client.get(subject.kind, { name, namespace })).toSatisfy(isReady))
  }
  // The first of its kind opens watches.
  const prefix = design.replaceAll(' ', '-')
  await make(`${prefix}-first`)
  const counts = new Map(await plane.requestsOf(() => make(`${prefix}-second`)))
  // Composite resources of an earlier design are looked at again after a minute, which may be now.
  const isOther = (key: string): boolean => key.startsWith('composition get benchxrs') && expected[key] === undefined
  for (const key of counts.keys()) if (key.startsWith('test-user get') || isOther(key)) counts.delete(key)
  const wrong: Record<string, unknown> = {}
  for (const key of new Set([...counts.keys(), ...Object.keys(expected)])) {
    const range = expected[key] ?? 0
    const [least, most] = typeof range === 'number' ? [range, range] : range
    const count = counts.get(key) ?? 0
    if (count < least || count > most) wrong[key] = { count, expected: range }
  }
  expect(wrong).toEqual({})
})
