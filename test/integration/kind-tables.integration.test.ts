import { expect, it } from 'vitest'
import { makeTables, writtenTables } from '../../scripts/kind-tables.mjs'

const made = makeTables()
if (made === undefined) console.log('tables of kinds are not made anew: Go, or k8s.io/api in its cache of modules, is not on this machine')

/** Wherever kube-apiserver was built for the other tiers. Nothing is fetched; numbers and types are held against a list elsewhere. */
it.skipIf(made === undefined)('the tables of built-in kinds are what the script makes of the published types', () => {
  expect(Object.fromEntries(writtenTables())).toEqual(Object.fromEntries(made ?? []))
})
