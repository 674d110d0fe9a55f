import { expect, it } from 'vitest'
import type { Connector } from '../external/connector.ts'
import { controllerOf } from '../provider/start-provider.ts'
import type { ManagedServices } from './attempt.ts'
import type { ManagedKind } from './managed-kind.ts'

const kind: ManagedKind = { group: 'fake.weft.dev', kind: 'Thing', connector: {} as Connector }
const controller = (more: Partial<ManagedKind> = {}) => controllerOf({ ...kind, ...more }, {} as ManagedServices)

it('a kind that says nothing is worked on as most are: ten at a time, a minute each, and patiently after failures', () => {
  expect(controller()).toMatchObject({
    name: 'managed/thing.fake.weft.dev',
    concurrency: 10,
    timeoutMs: 60_000,
    backoff: { baseMs: 200, maxMs: 60_000, jitter: 0.2 },
  })
})

it('a kind may say otherwise', () => {
  const own = { concurrency: 1, timeoutMs: 5, backoff: { baseMs: 1, maxMs: 2 } }
  expect(controller(own)).toMatchObject(own)
})
