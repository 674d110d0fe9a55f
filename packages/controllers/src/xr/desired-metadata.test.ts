import type { KubeObject } from '@weft/api'
import { expect, test } from 'vitest'
import { desiredMetadata } from './desired-metadata.ts'

test.each<[reason: string, given: unknown, kept: object]>([
  ['what it may say is kept', { name: 'a', labels: { b: 'c' }, finalizers: ['d'] }, { name: 'a', labels: { b: 'c' }, finalizers: ['d'] }],
  ['a name that is no text is none', { name: { a: 1 }, generateName: 1, namespace: null }, {}],
  ['labels that are no object are none', { labels: 'text', annotations: ['a'] }, {}],
  ['a label that is no text costs the others', { labels: { a: 'b', c: 1 }, annotations: { d: 'e' } }, { annotations: { d: 'e' } }],
  ['null is an empty text', { labels: { a: null } }, { labels: { a: '' } }],
  ['owners that are no objects are none', { ownerReferences: [1, { uid: 'u' }] }, { ownerReferences: [{ uid: 'u' }] }],
  ['no metadata at all', 'text', {}],
])('K60 of a function’s answer: %s', (_, metadata, kept) => {
  expect(desiredMetadata({ apiVersion: 'v1', kind: 'A', metadata } as KubeObject)).toEqual(kept)
})
