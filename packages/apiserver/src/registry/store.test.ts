import type { KubeObject } from '@weft/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryStorage, type Storage, type Version } from '../storage/index.ts'
import { RecentBytes } from './recent-bytes.ts'
import { ObjectStore } from './store.ts'

const PREFIX = '/registry/configmaps/'
const COUNT = 100
const config = (name: string, value = 'x'.repeat(1000)): KubeObject =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } }) as KubeObject
const keyOf = (i: number): string => `${PREFIX}${String(i).padStart(3, '0')}`

/** Counts what is read, and keeps about ten objects in memory. */
class CountingStorage {
  readonly storage: Storage = openMemoryStorage()
  reads = 0
  readonly recent: RecentBytes

  constructor() {
    const read = (version: Version): Uint8Array => {
      this.reads++
      return this.storage.read(version)
    }
    this.recent = new RecentBytes(new Proxy(this.storage, { get: (of, name) => (name === 'read' ? read : Reflect.get(of, name)) }), 10_000)
  }
}

let counting: CountingStorage
let store: ObjectStore
beforeEach(async () => {
  counting = new CountingStorage()
  store = new ObjectStore(counting.storage, PREFIX, counting.recent)
  await Promise.all(Array.from({ length: COUNT }, (_, i) => store.write(keyOf(i), 0, config(`c${i}`))))
})
afterEach(async () => {
  store.close()
  await counting.storage.close()
})

const nameIn = (json: Buffer): string => (JSON.parse(json.toString()) as KubeObject).metadata.name ?? ''

test('what was not used lately is not in memory, and is read again, byte for byte', () => {
  const names = store.scan(PREFIX).map(({ json }) => nameIn(json))
  expect(names).toEqual(Array.from({ length: COUNT }, (_, i) => `c${i}`))
  expect(counting.reads).toBeGreaterThan(COUNT - 15)
  counting.reads = 0
  for (let i = 0; i < 50; i++) expect(nameIn((store.get(keyOf(7)) as { json: Buffer }).json)).toBe('c7')
  expect(counting.reads, 'what is in use stays').toBe(1)
})

test('a kind is known without reading its objects', () => {
  const again = new ObjectStore(counting.storage, PREFIX, counting.recent)
  expect(again.size).toBe(COUNT)
  expect(again.scan(PREFIX).reduce((sum, { weight }) => sum + weight, 0)).toBeGreaterThan(COUNT * 1000)
  expect(counting.reads).toBe(0)
  expect(nameIn((again.get(keyOf(42)) as { json: Buffer }).json)).toBe('c42')
  expect(counting.reads).toBe(1)
  again.close()
})

test('whoever holds an object finds it as it was, also when it is gone and its history, too', async () => {
  const held = [0, 1].map((i) => store.get(keyOf(i)) as NonNullable<ReturnType<ObjectStore['get']>>)
  const [first, second] = held.map(({ revision }) => revision) as [number, number]
  store.scan(PREFIX).forEach(({ json }) => json)
  await store.write(keyOf(0), first, config('c0', 'new'))
  await store.remove(keyOf(1), second)
  await counting.storage.compact(counting.storage.revision)
  store.scan(PREFIX).forEach(({ json }) => json)
  expect(held.map(({ json }) => nameIn(json))).toEqual(['c0', 'c1'])
  expect(held[0]?.object['data']).toEqual({ value: 'x'.repeat(1000) })
  expect(store.get(keyOf(0))?.object['data']).toEqual({ value: 'new' })
})
