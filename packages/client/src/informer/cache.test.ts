import type { KubeObject } from '@weft/api'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ObjectCache } from './cache.ts'
import { compareResourceVersions } from './resource-version.ts'

const object = (name: string, resourceVersion: number, uid = `uid-${name}`, label = 'x'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'ns', uid, resourceVersion: String(resourceVersion), labels: { l: label } },
})

describe('resource versions', () => {
  it.each([
    { a: '9', b: '10', order: -1, reason: 'numbers, not text' },
    { a: '18446744073709551615', b: '9999999999999999999', order: 1, reason: '64 bits' },
    { a: '5', b: '5', order: 0, reason: 'equal' },
    { a: undefined, b: '1', order: -1, reason: 'none is oldest' },
    { a: 'abc', b: '1', order: -1, reason: 'not a number is oldest' },
  ])('$reason', ({ a, b, order }) => {
    expect(Math.sign(compareResourceVersions(a, b))).toBe(order)
  })
})

describe('cache', () => {
  it.each([
    { reason: 'a newer version replaces', first: object('a', 5), second: object('a', 6), type: 'updated' },
    { reason: 'the same version is no change', first: object('a', 5), second: object('a', 5), type: undefined },
    { reason: 'an older version is refused', first: object('a', 5), second: object('a', 4), type: undefined },
    {
      reason: 'another object of the name replaces whatever its version',
      first: object('a', 5),
      second: object('a', 4, 'other'),
      type: 'updated',
    },
  ])('$reason', ({ first, second, type }) => {
    const cache = new ObjectCache()
    cache.set(first)
    expect(cache.set(second)?.type).toBe(type)
    expect(cache.get('ns/a')).toBe(type === undefined ? first : second)
  })

  it('does not let an old deletion take a newer object', () => {
    const cache = new ObjectCache()
    cache.set(object('a', 9, 'second-life'))
    expect(cache.delete(object('a', 8, 'first-life'))).toBeUndefined()
    expect(cache.delete(object('a', 8, 'second-life'))).toBeUndefined()
    expect(cache.size).toBe(1)
    expect(cache.delete(object('a', 10, 'second-life'))?.type).toBe('deleted')
    expect(cache.size).toBe(0)
  })

  it('does not go back when a list is older than what is known', () => {
    const cache = new ObjectCache()
    cache.set(object('newer', 20))
    cache.set(object('created-after', 21))
    cache.set(object('gone', 3))
    const changes = cache.replace([object('newer', 15), object('fresh', 14)], '15')
    expect(changes.map(({ type, object: { metadata } }) => `${type} ${metadata.name}`)).toEqual(['added fresh', 'deleted gone'])
    expect(cache.get('ns/newer')?.metadata.resourceVersion).toBe('20')
    expect(cache.get('ns/created-after')).toBeDefined()
  })

  it('keeps indexes right through every change', () => {
    const cache = new ObjectCache()
    cache.set(object('a', 1, 'a', 'x'))
    cache.addIndex('label', ({ metadata }) => Object.values(metadata.labels ?? {}))
    cache.set(object('b', 2, 'b', 'x'))
    const names = (value: string): (string | undefined)[] => cache.byIndex('label', value).map(({ metadata }) => metadata.name)
    expect(names('x')).toEqual(['a', 'b'])
    cache.set(object('a', 3, 'a', 'y'))
    expect([names('x'), names('y')]).toEqual([['b'], ['a']])
    cache.replace([object('a', 4, 'a', 'x')], '5')
    expect([names('x'), names('y')]).toEqual([['a'], []])
    expect(cache.byIndex('label', 'x')[0]).toBe(cache.get('ns/a'))
    expect(() => cache.byIndex('none', 'x')).toThrow()
  })

  it('files by an index what a look at all objects would find, whatever happens to them', () => {
    const label = fc.constantFrom('x', 'y', 'z')
    const step = fc.record({ name: fc.constantFrom('a', 'b', 'c'), labels: fc.uniqueArray(label, { maxLength: 3 }), goes: fc.boolean() })
    const labelsOf = ({ metadata }: KubeObject): readonly string[] => Object.values(metadata.labels ?? {})
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const cache = new ObjectCache()
        cache.addIndex('label', labelsOf)
        for (const [revision, { name, labels, goes }] of steps.entries()) {
          const next = object(name, revision + 1)
          const labelled = { ...next, metadata: { ...next.metadata, labels: Object.fromEntries(labels.map((each) => [each, each])) } }
          if (goes) cache.delete(next)
          else cache.set(labelled)
          for (const value of ['x', 'y', 'z'])
            expect(new Set(cache.byIndex('label', value))).toEqual(
              new Set([...cache.values()].filter((each) => labelsOf(each).includes(value))),
            )
        }
      }),
    )
  })

  it('never serves an object older than one it served before, in any order of events and lists', () => {
    const event = fc.record({
      name: fc.constantFrom('a', 'b'),
      version: fc.integer({ min: 1, max: 30 }),
      kind: fc.constantFrom('set', 'list'),
    })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const cache = new ObjectCache()
        let served = new Map<string, number>()
        for (const { name, version, kind } of events) {
          if (kind === 'set') cache.set(object(name, version))
          else cache.replace([object(name, version)], String(version))
          const present = new Map([...cache.values()].map(({ metadata }) => [metadata.uid ?? '', Number(metadata.resourceVersion)]))
          // Whether an object that went may come back is not the cache's to know; the informer checks the order of revisions.
          for (const [uid, now] of present) expect(now).toBeGreaterThanOrEqual(served.get(uid) ?? 0)
          served = present
        }
      }),
    )
  })

  it('starts over when the history does', () => {
    const cache = new ObjectCache()
    cache.set(object('a', 100))
    cache.set(object('b', 101))
    const changes = cache.reset([object('a', 3), object('c', 4)])
    expect(changes.map(({ type, object: { metadata } }) => `${type} ${metadata.name}`)).toEqual(['deleted b', 'updated a', 'added c'])
    expect(cache.get('ns/a')?.metadata.resourceVersion).toBe('3')
  })
})
