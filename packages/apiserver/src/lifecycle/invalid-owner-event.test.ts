import { expect, test } from 'vitest'
import { invalidOwnerEvent } from './invalid-owner-event.ts'

const object = { apiVersion: 'example.org/v1', kind: 'Pond', metadata: { name: 'koi', uid: 'u1', resourceVersion: '7' } }
const owner = { apiVersion: 'v1', kind: 'Secret', name: 'key', uid: 'u2' }

test('an owner in a namespace is told of once for each owner, on the object that names it', () => {
  const event = invalidOwnerEvent(object, owner, Date.parse('2026-11-18T06:00:00Z'))
  expect(event).toEqual({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace: 'default', name: expect.stringMatching(/^koi\.[0-9a-f]{16}$/) },
    involvedObject: { apiVersion: 'example.org/v1', kind: 'Pond', name: 'koi', uid: 'u1', resourceVersion: '7' },
    type: 'Warning',
    reason: 'OwnerRefInvalidNamespace',
    message: 'ownerRef [v1/Secret, namespace: , name: key, uid: u2] does not exist in namespace ""',
    source: { component: 'garbage-collector-controller' },
    firstTimestamp: '2026-11-18T06:00:00Z',
    lastTimestamp: '2026-11-18T06:00:00Z',
    count: 1,
    reportingComponent: 'garbage-collector-controller',
    reportingInstance: '',
  })
  expect(invalidOwnerEvent(object, owner, 0).metadata.name, 'whenever it is noticed').toBe(event.metadata.name)
  expect(invalidOwnerEvent(object, { ...owner, uid: 'u3' }, 0).metadata.name).not.toBe(event.metadata.name)
  const { resourceVersion: _version, ...metadata } = object.metadata
  expect(invalidOwnerEvent({ ...object, metadata: { ...metadata, uid: 'u4' } }, owner, 0)['involvedObject']).not.toHaveProperty(
    'resourceVersion',
  )
  expect(invalidOwnerEvent({ ...object, metadata: { ...metadata, name: 'k'.repeat(253) } }, owner, 0).metadata.name).toHaveLength(217)
})
