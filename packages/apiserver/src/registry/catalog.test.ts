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
