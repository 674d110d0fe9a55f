import { internalError } from '@weft/api'
import { FakeClock } from '@weft/testing'
import { describe, expect, it } from 'vitest'
import { NoMatchError } from '../transport/errors.ts'
import type { Transport } from '../transport/transport.ts'
import { createRestMapper } from './rest-mapper.ts'

/** A server that aggregates discovery or does not, with kinds that a test adds. */
class Discovery {
  readonly kinds: { group: string; version: string; kind: string; plural: string; namespaced: boolean }[] = [
    { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true },
    { group: 'x.org', version: 'v2', kind: 'Widget', plural: 'widgets', namespaced: false },
    { group: 'x.org', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: false },
  ]
  requests = 0
  failing = false
  readonly aggregates: boolean

  constructor(aggregates = true) {
    this.aggregates = aggregates
  }

  readonly transport: Transport = {
    request: async (request) => {
      this.requests++
      if (this.failing) throw internalError('down')
      if (request.verb !== 'read') throw new Error('not discovery')
      return { status: 200, warnings: [], body: this.aggregates ? this.#aggregated(request.path) : this.#legacy(request.path) }
    },
    watch: () => {
      throw new Error('not discovery')
    },
    close: () => Promise.resolve(),
  }

  #aggregated(path: string): object {
    const kinds = this.kinds.filter(({ group }) => (group === '') === (path === '/api'))
    const groups = [...new Set(kinds.map(({ group }) => group))]
    return {
      kind: 'APIGroupDiscoveryList',
      items: groups.map((name) => ({
        metadata: { name },
        versions: kinds
          .filter(({ group }) => group === name)
          .map(({ version, kind, plural, namespaced }) => ({
            version,
            resources: [
              {
                resource: plural,
                responseKind: { kind },
                scope: namespaced ? 'Namespaced' : 'Cluster',
                verbs: ['get'],
                subresources: [{ subresource: 'status' }],
              },
            ],
          })),
      })),
    }
  }

  #legacy(path: string): object {
    if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] }
    const groups = [...new Set(this.kinds.map(({ group }) => group))].filter((group) => group !== '')
    if (path === '/apis')
      return {
        kind: 'APIGroupList',
        groups: groups.map((name) => ({
          name,
          // Preferred, but not first.
          preferredVersion: { groupVersion: `${name}/v2` },
          versions: this.kinds
            .filter(({ group }) => group === name)
            .map(({ version }) => ({ groupVersion: `${name}/${version}` }))
            .reverse(),
        })),
      }
    const [, root, ...rest] = path.split('/')
    const [group, version] = root === 'api' ? ['', rest[0]] : rest
    const resources = this.kinds.filter((kind) => kind.group === group && kind.version === version)
    return {
      kind: 'APIResourceList',
      resources: resources.flatMap(({ plural: name, kind, namespaced }) => [
        { name, kind, namespaced },
        { name: `${name}/status`, kind, namespaced },
      ]),
    }
  }
}

describe.each([true, false])('kind → resource (aggregated: %s)', (aggregates) => {
  it('prefers what the server prefers, and takes a version that is asked for', async () => {
    const mapper = createRestMapper({ transport: new Discovery(aggregates).transport })
    expect(await mapper.mapping({ group: 'x.org', kind: 'Widget' })).toMatchObject({
      version: 'v2',
      plural: 'widgets',
      namespaced: false,
      subresources: ['status'],
    })
    expect(await mapper.mapping({ group: 'x.org', kind: 'Widget', version: 'v1' })).toMatchObject({ version: 'v1' })
    expect(await mapper.mapping({ group: '', kind: 'Secret' })).toMatchObject({ version: 'v1', namespaced: true })
    expect((await mapper.versions('x.org', 'Widget')).map(({ version }) => version)).toEqual(['v2', 'v1'])
    await expect(mapper.mapping({ group: 'x.org', kind: 'Widget', version: 'v9' })).rejects.toBeInstanceOf(NoMatchError)
  })
})

describe('rest mapper', () => {
  it('asks once for many, and nothing at all for a kind that says everything', async () => {
    const discovery = new Discovery()
    const mapper = createRestMapper({ transport: discovery.transport })
    await mapper.mapping({ group: 'g', version: 'v1', kind: 'K', plural: 'ks', namespaced: true })
    expect(discovery.requests).toBe(0)
    await Promise.all(Array.from({ length: 10 }, () => mapper.mapping({ group: '', kind: 'Secret' })))
    expect(discovery.requests).toBe(2)
  })

  it('notices new kinds, and is not driven mad by kinds that do not exist', async () => {
    const discovery = new Discovery()
    const clock = new FakeClock()
    const mapper = createRestMapper({ transport: discovery.transport, clock, burst: 3, refillMs: 1000 })
    const ask = (): Promise<unknown> => mapper.mapping({ group: 'x.org', kind: 'New' }).catch((error: unknown) => error)
    for (let i = 0; i < 100; i++) expect(await ask()).toBeInstanceOf(NoMatchError)
    expect(discovery.requests).toBe(2 * 4)
    discovery.kinds.push({ group: 'x.org', version: 'v1', kind: 'New', plural: 'news', namespaced: true })
    expect(await ask()).toBeInstanceOf(NoMatchError)
    await clock.advance(1000)
    expect(await ask()).toMatchObject({ plural: 'news' })
  })

  it('forgets on request, and does not remember failures', async () => {
    const discovery = new Discovery()
    const mapper = createRestMapper({ transport: discovery.transport })
    discovery.failing = true
    await expect(mapper.mapping({ group: '', kind: 'Secret' })).rejects.toMatchObject({ code: 500 })
    discovery.failing = false
    expect(await mapper.mapping({ group: '', kind: 'Secret' })).toMatchObject({ plural: 'secrets' })
    discovery.kinds.length = 0
    mapper.invalidate()
    await expect(mapper.mapping({ group: '', kind: 'Secret' })).rejects.toBeInstanceOf(NoMatchError)
  })

  it('lets one caller give up without ending the discovery of others', async () => {
    const discovery = new Discovery()
    const mapper = createRestMapper({ transport: discovery.transport })
    const abort = new AbortController()
    const given = mapper.mapping({ group: '', kind: 'Secret' }, abort.signal)
    const kept = mapper.mapping({ group: '', kind: 'Secret' })
    abort.abort(new Error('no more'))
    await expect(given).rejects.toThrow('no more')
    expect(await kept).toMatchObject({ plural: 'secrets' })
  })
})
