import { createHash } from 'node:crypto'
import type { StateResource } from './state-file.ts'

/** What names of objects may have, less room for what is added to them. */
const LONGEST = 52

/**
 * Names of objects for resources of one kind, by address: made of modules, name and instance. The same file always gives the same names; those that
 * would be alike (`a_b` and `a-b`), or that are cut, have a hash of the address behind them.
 */
export function resourceNames(resources: readonly Pick<StateResource, 'address' | 'words'>[], prefix = ''): ReadonlyMap<string, string> {
  const wanted = resources.map(({ address, words }) => ({ address, name: legal([prefix, ...words]) }))
  const count = new Map<string, number>()
  for (const { name } of wanted) count.set(name, (count.get(name) ?? 0) + 1)
  return new Map(
    wanted.map(({ address, name }) => {
      const isAlone = count.get(name) === 1 && name !== '' && name.length <= LONGEST
      return [address, isAlone ? name : hashed(name, address)]
    }),
  )
}

const legal = (words: readonly string[]): string =>
  words
    .map((word) =>
      word
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-+|-+$/g, ''),
    )
    .filter((word) => word !== '')
    .join('-')

function hashed(name: string, address: string): string {
  const hash = createHash('sha256').update(address).digest('hex').slice(0, 8)
  const stem = name.slice(0, LONGEST - hash.length - 1).replace(/-+$/, '')
  return stem === '' ? `r-${hash}` : `${stem}-${hash}`
}
