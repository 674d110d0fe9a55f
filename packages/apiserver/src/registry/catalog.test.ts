import { expect, test } from 'vitest'
import { builtinKinds } from '../kinds/index.ts'
import { openMemoryStorage } from '../storage/index.ts'
import { builtinType } from './builtin.ts'
import { Catalog } from './catalog.ts'

test('what every server has is found by its plural, and what it lacks is named', async () => {
  const storage = openMemoryStorage()
  const catalog = new Catalog(storage)
  catalog.replace([], builtinKinds.map(builtinType))
  expect(catalog.builtIn('', 'namespaces')).toMatchObject({ group: '', version: 'v1', kind: 'Namespace' })
  expect(catalog.builtIn('rbac.authorization.k8s.io', 'roles')).toBe(catalog.find('rbac.authorization.k8s.io', 'v1', 'roles'))
  expect(() => catalog.builtIn('example.org', 'things')).toThrow('example.org/v1 things')
  catalog.close()
  await storage.close()
})

test('a group version is there as long as something is served in it, and once however much that is', async () => {
  const storage = openMemoryStorage()
  const catalog = new Catalog(storage)
  const types = builtinKinds.map(builtinType)
  const ofRoles = types.filter(({ group }) => group === 'rbac.authorization.k8s.io')
  const [first, ...others] = ofRoles
  const named = (): readonly string[] => catalog.groupVersions().map(({ group, version }) => `${group}/${version}`)
  catalog.replace([], ofRoles)
  expect(others.length).toBeGreaterThan(0)
  expect(named()).toEqual(['rbac.authorization.k8s.io/v1'])
  catalog.replace(others, [])
  expect(catalog.groupVersions()).toEqual([first])
  catalog.replace(ofRoles, [])
  expect(named()).toEqual([])
  catalog.close()
  await storage.close()
})
