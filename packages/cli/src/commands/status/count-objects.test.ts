import { forbidden } from '@weft/api'
import { expect, it } from 'vitest'
import type { Cluster } from '../../cluster/index.ts'
import { countObjects, formatCounts } from './count-objects.ts'

/** Three kinds, and how many of each there are where. */
const clusterThat = (lists: (plural: string, namespace: string | undefined) => number): Cluster =>
  ({
    namespace: 'shop',
    kinds: {
      all: () =>
        Promise.resolve(
          [
            ['claim', 'instances', true],
            ['composite', 'fleets', false],
            ['managed', 'servers', false],
          ].map(([category, plural, namespaced]) => ({
            group: 'example.org',
            plural,
            namespaced,
            verbs: ['list'],
            categories: [category],
          })),
        ),
    },
    client: {
      list: async ({ plural }: { plural: string }, { namespace }: { namespace?: string }) => {
        const count = lists(plural, namespace)
        return { items: count === 0 ? [] : [{}], metadata: count > 1 ? { remainingItemCount: count - 1 } : {} }
      },
    },
  }) as unknown as Cluster

const refuse = (plural: string): never => {
  throw forbidden({ group: 'example.org', resource: plural, name: '' }, 'no')
}

it('counts everywhere where everything may be listed', async () => {
  const counts = await countObjects(clusterThat((plural) => ({ instances: 4, fleets: 0 })[plural] ?? 1))
  expect(counts).toEqual({ byCategory: { claim: 4, composite: 0, managed: 1 } })
  expect(formatCounts(counts, 20)).toBe('20 (4 claim, 0 composite, 1 managed)')
})

it('counts one namespace for whoever works in it, and never says none of what they may not list', async () => {
  const counts = await countObjects(
    clusterThat((plural, namespace) => (plural === 'instances' && namespace === 'shop' ? 3 : refuse(plural))),
  )
  expect(counts).toEqual({ byCategory: { claim: 3 }, countedIn: 'shop', refused: ['composite', 'managed'] })
  expect(formatCounts(counts, undefined)).toBe('3 claim in namespace shop; you may not list composite, managed')
})

it('says nothing of what the server does not tell', async () => {
  const counts = await countObjects(
    clusterThat(() => {
      throw new Error('the connection was lost')
    }),
  )
  expect(counts).toEqual({ byCategory: {} })
  expect(formatCounts(counts, undefined)).toBeUndefined()
})
