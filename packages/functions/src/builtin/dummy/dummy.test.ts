import { expect, test } from 'vitest'
import type { Struct } from '../../protocol/struct.ts'
import { dummy } from './dummy.ts'

const saying = (response: Struct): Struct => ({ apiVersion: 'dummy.fn.crossplane.io/v1beta1', kind: 'Response', response })

test('K115 the input’s response is merged over what was given: lists are appended to, maps go by key', () => {
  const given = { composite: { resource: { status: { a: 1 } } }, resources: { one: { resource: { x: 1 } }, two: { resource: { y: 1 } } } }
  const input = saying({
    desired: { composite: { ready: 'READY_TRUE' }, resources: { one: { resource: { z: 1 } } } },
    results: [{ severity: 'SEVERITY_NORMAL', message: 'said' }],
    context: { k: 2 },
  })
  const answer = dummy({ meta: { tag: 't' }, desired: given, context: { j: 1, k: 1 }, input })
  expect(answer.meta).toEqual({ tag: 't', ttl: '60s' })
  expect(answer.desired?.composite).toEqual({ resource: { status: { a: 1 } }, ready: 'READY_TRUE' })
  expect(answer.desired?.resources).toEqual({ one: { resource: { z: 1 } }, two: { resource: { y: 1 } } })
  expect(answer.context).toEqual({ j: 1, k: 2 })
  expect(answer.results).toEqual([{ severity: 'SEVERITY_NORMAL', message: 'said' }])
})

test('a response that is none is a fatal result', () => {
  expect(dummy({ input: saying({ nonsense: 1 }) }).results).toMatchObject([{ severity: 'SEVERITY_FATAL' }])
})

test('without an input everything is passed on', () => {
  expect(dummy({ desired: { resources: { a: {} } } })).toEqual({ meta: { ttl: '60s' }, desired: { resources: { a: {} } } })
})
