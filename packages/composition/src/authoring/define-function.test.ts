import type { JsonObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { AuthoringError } from './authoring-error.ts'
import { defineFunction, desired } from './define-function.ts'
import { type Kind, type Metadata, untyped } from './kind.ts'

interface Database {
  readonly apiVersion: 'example.org/v1'
  readonly kind: 'Database'
  readonly metadata: Metadata
  readonly spec: { readonly size: number }
  readonly status?: { readonly address?: string; readonly size?: number }
}
const Database: Kind<Database, 'host'> = { apiVersion: 'example.org/v1', kind: 'Database', connectionDetails: ['host'] }
const Server = untyped('cloud.example.org/v1', 'Server')

const composite = { apiVersion: 'example.org/v1', kind: 'Database', metadata: { name: 'db' }, spec: { size: 3 } }
const request = (more: object = {}): JsonObject =>
  ({ meta: { tag: 't' }, observed: { composite: { resource: composite } }, ...more }) as unknown as JsonObject

describe('a function in TypeScript', () => {
  it.each([
    [true, { ready: 'READY_TRUE' }],
    [false, { ready: 'READY_FALSE' }],
    [undefined, {}],
  ])('that says of readiness %s', async (ready, said) => {
    const run = defineFunction(Database, () => (ready === undefined ? {} : { ready }))
    expect(await run(request())).toMatchObject({ desired: { composite: said } })
    if (ready === undefined) expect(await run(request())).not.toHaveProperty('desired.composite.ready')
  })

  it('answers what it wants over what earlier steps want, in the form of the protocol', async () => {
    const run = defineFunction(Database, ({ composite: { spec }, observed, connectionDetails, required, input, context }) => ({
      resources: {
        server: desired(
          Server,
          { metadata: { labels: { a: 'b' } }, spec: { size: spec.size } },
          { ready: observed('server', Server) !== undefined },
        ),
        old: null,
      },
      status: { address: connectionDetails('server')['host'] ?? '' },
      connectionDetails: { host: 'grün' },
      ready: true,
      conditions: [{ type: 'Sized', status: 'True', reason: 'Given', target: 'CompositeAndClaim' }],
      results: [{ severity: 'Warning', message: `${String(input['note'])} ${required('zones', Server)?.length ?? 'none'}` }],
      context: { ...context, mine: 1 },
      requires: { zones: { kind: Server, labels: { zone: 'a' } } },
      ttlSeconds: 60,
    }))
    const answer = await run(
      request({
        observed: {
          composite: { resource: composite },
          resources: { server: { resource: { apiVersion: 'cloud.example.org/v1', kind: 'Server' }, connectionDetails: { host: 'ZGI=' } } },
        },
        desired: {
          composite: { resource: { status: { size: 3 } } },
          resources: { old: { resource: {} }, kept: { resource: { kind: 'Kept' } } },
        },
        input: { note: 'zones:' },
        context: { theirs: 2 },
        requiredResources: { zones: { items: [{ resource: {} }] } },
      }),
    )
    expect(answer).toEqual({
      meta: { tag: 't', ttl: '60s' },
      desired: {
        composite: {
          resource: { apiVersion: 'example.org/v1', kind: 'Database', status: { size: 3, address: 'db' } },
          connectionDetails: { host: 'Z3LDvG4=' },
          ready: 'READY_TRUE',
        },
        resources: {
          kept: { resource: { kind: 'Kept' } },
          server: {
            resource: { apiVersion: 'cloud.example.org/v1', kind: 'Server', metadata: { labels: { a: 'b' } }, spec: { size: 3 } },
            ready: 'READY_TRUE',
          },
        },
      },
      context: { theirs: 2, mine: 1 },
      conditions: [{ type: 'Sized', status: 'STATUS_CONDITION_TRUE', reason: 'Given', target: 'TARGET_COMPOSITE_AND_CLAIM' }],
      results: [{ severity: 'SEVERITY_WARNING', message: 'zones: 1' }],
      requirements: {
        resources: { zones: { apiVersion: 'cloud.example.org/v1', kind: 'Server', matchLabels: { labels: { zone: 'a' } } } },
      },
    })
  })

  it('is asked for its own kind alone, and says so', async () => {
    const run = defineFunction(Database, () => ({}))
    const other = request({ observed: { composite: { resource: { ...composite, kind: 'Queue' } } } })
    await expect(run(other)).rejects.toThrow('the composite is a Queue of example.org/v1: the function is for Database of example.org/v1')
    await expect(run(other)).rejects.toThrow(AuthoringError)
  })

  it('that wants nothing keeps what others want', async () => {
    const before = { composite: { resource: { status: {} } }, resources: { a: { resource: {} } } }
    expect((await defineFunction(Database, () => ({}))(request({ desired: before })))['desired']).toEqual(before)
  })
})
