import { expect, it } from 'vitest'
import type { ListView } from '../../routing/route.ts'
import { MANAGED, objectOf } from '../../../world/testing.fixture.ts'
import { listed } from './object-list.ts'

const server = (name: string, ready: 'True' | 'False', size: number, creationTimestamp: string) =>
  objectOf(MANAGED, name, {
    ready,
    synced: 'True',
    spec: { size, classRef: { apiVersion: 'a.io/v1', kind: 'ServerClass', name: size > 5 ? 'large' : 'small' } },
    metadata: { creationTimestamp, labels: { team: name.slice(0, 1), tier: 'x=y' } },
  })
const objects = [
  server('alpha', 'True', 9, '2026-01-03'),
  server('beta', 'False', 10, '2026-01-01'),
  server('gamma', 'True', 1, '2026-01-02'),
]
const columns = [{ name: 'Size', valueOf: (object: object) => String((object as { spec: { size: number } }).spec.size) }]

it.each<[ListView, string]>([
  [{}, 'beta alpha gamma'],
  [{ sort: 'name' }, 'alpha beta gamma'],
  [{ sort: '-name' }, 'gamma beta alpha'],
  [{ sort: 'created' }, 'beta gamma alpha'],
  [{ sort: '-size' }, 'beta alpha gamma'],
  [{ sort: 'size' }, 'gamma alpha beta'],
  [{ sort: 'nothing' }, 'beta alpha gamma'],
  [{ text: 'AM' }, 'gamma'],
  [{ state: 'ready' }, 'alpha gamma'],
  [{ state: 'waiting', text: 'a' }, 'beta'],
  [{ label: 'team=a' }, 'alpha'],
  [{ label: 'team, tier=x=y', sort: 'name' }, 'alpha beta gamma'],
  [{ label: 'nobody' }, ''],
  [{ from: 'large' }, 'beta alpha'],
  [{ namespace: 'elsewhere' }, ''],
])('%j shows %s', (view, names) => {
  expect(
    listed(objects, 'managed', view, columns)
      .map(({ name }) => name)
      .join(' '),
  ).toBe(names)
})
