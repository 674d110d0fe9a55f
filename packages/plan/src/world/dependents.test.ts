import { badRequest, type KubeObject, notFound } from '@weft/api'
import { expect, test } from 'vitest'
import { dependentsOf } from './dependents.ts'
import type { StoredKind } from './world.ts'
import type { WorldReader } from './world-reader.ts'

const kind = (name: string): StoredKind => ({ group: 'example.org', version: 'v1', kind: name, plural: `${name}s`, namespaced: false })
const owned = (name: string, by: string): KubeObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Part',
  metadata: { name, ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: by, uid: by }] },
})

/** A server that answers the question as told, and has the objects in pages of one. */
const readerOf = (ask: () => Promise<unknown>, objects: readonly KubeObject[]): WorldReader =>
  ({
    custom: [kind('Part'), kind('Known')],
    isWhole: (each: StoredKind) => each.kind === 'Known',
    ask,
    async *metadata(each: StoredKind) {
      for (const object of objects) if (object.kind === each.kind) yield [object]
    },
  }) as unknown as WorldReader

const objects = [owned('a', 'one'), owned('b', 'two'), { ...owned('c', 'one'), kind: 'Known' }]

test('a server that knows is asked', async () => {
  const items = [{ apiVersion: 'example.org/v1', kind: 'Part', name: 'told' }]
  expect(
    await dependentsOf(
      readerOf(async () => ({ items }), objects),
      new Set(['one']),
    ),
  ).toEqual(items)
})

test('of one that does not, every kind that is not known already is looked through', async () => {
  const silent = readerOf(() => Promise.reject(notFound({ group: '', resource: 'paths', name: 'dependents' })), objects)
  expect(await dependentsOf(silent, new Set(['one']))).toEqual([{ apiVersion: 'example.org/v1', kind: 'Part', name: 'a' }])
})

test('what else goes wrong is said', async () => {
  await expect(
    dependentsOf(
      readerOf(() => Promise.reject(badRequest('no')), objects),
      new Set(['one']),
    ),
  ).rejects.toThrow('no')
})
