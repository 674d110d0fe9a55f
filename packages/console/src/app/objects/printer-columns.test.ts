import { expect, it } from 'vitest'
import { collectionOf, kindInfo, MANAGED, objectOf, worldOf } from '../../world/testing.fixture.ts'
import { printerColumns, textAt } from './printer-columns.ts'

const object = objectOf(MANAGED, 'a', {
  ready: 'True',
  spec: { size: 3, none: null, list: [{ name: 'x' }], deep: { a: true } },
  metadata: { annotations: { 'a.b/c': 'there' } },
})

it.each([
  ['.spec.size', '3'],
  ['{.spec.size}', '3'],
  ['.spec.list[0].name', 'x'],
  ['.spec.deep', '{"a":true}'],
  ["$['spec']", ''],
  ["['spec'].size", '3'],
  ['.metadata.annotations.a\\.b/c', 'there'],
  [".status.conditions[?(@.type=='Ready')].status", 'True'],
  ['.status.conditions[?(@.type=="Other")].status', ''],
  ['.spec.none', ''],
  ['.spec.nothing.at.all', ''],
  ['.spec..size', ''],
  ['.spec.list[*].name', ''],
])('%s is %j', (path, text) => {
  expect(textAt(object, path)).toBe(text)
})

it('come from the definition of the kind, without what is shown anyway and what only wide output has', () => {
  const definitions = kindInfo({ kind: 'CustomResourceDefinition', group: 'apiextensions.k8s.io' })
  const column = (name: string, more: object = {}): object => ({ name, type: 'string', jsonPath: '.spec.size', ...more })
  const definition = objectOf(definitions, 'servers.example.org', {
    spec: {
      versions: [
        {
          name: 'v1',
          additionalPrinterColumns: [
            column('READY'),
            column('Size'),
            column('Wide', { priority: 1 }),
            column('Age', { type: 'date' }),
            column('Since', { type: 'date' }),
          ],
        },
      ],
    },
  })
  const columns = printerColumns(worldOf(collectionOf(definitions, [definition])), MANAGED)
  expect(columns.map(({ name, valueOf }) => [name, valueOf(object)])).toEqual([['Size', '3']])
  expect(printerColumns(worldOf(), MANAGED)).toEqual([])
})
