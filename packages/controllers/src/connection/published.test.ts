import type { KubeObject } from '@weft/api'
import type { Client, Secret } from '@weft/client'
import { CONNECTION_SECRET_TYPE } from '@weft/composition'
import { expect, test } from 'vitest'
import { findPublished } from './published.ts'

const UID = 'u-1'
const secret = (name: string, type: string, owner = UID): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'team', ownerReferences: [{ apiVersion: 'a/v1', kind: 'Box', name: 'box', uid: owner, controller: true }] },
  type,
})
const box = (...names: readonly string[]): KubeObject => ({
  apiVersion: 'a.example.org/v1',
  kind: 'Box',
  metadata: { name: 'box', namespace: 'team', uid: UID },
  // The namespace of a reference does not count for one that lives in a namespace.
  spec: { crossplane: { resourceRefs: names.map((name) => ({ apiVersion: 'v1', kind: 'Secret', name, namespace: 'elsewhere' })) } },
})
const nobody = {} as Client
const among =
  (...secrets: readonly Secret[]) =>
  async ({ name, namespace }: { readonly name: string; readonly namespace: string }): Promise<Secret | undefined> =>
    secrets.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace)

test('X6, K211: of the secrets that it is composed of, the one of connection details counts', async () => {
  const [inner, outer] = [secret('certificate', 'kubernetes.io/tls'), secret('published', CONNECTION_SECRET_TYPE)]
  const find = among(inner, outer)
  expect(await findPublished(nobody, box('certificate', 'published'), find)).toBe(outer)
  expect(await findPublished(nobody, box('certificate'), find)).toBeUndefined()
})

test('X6: one that somebody else controls is not its own, whatever it refers to', async () => {
  const foreign = secret('published', CONNECTION_SECRET_TYPE, 'u-2')
  expect(await findPublished(nobody, box('published'), among(foreign))).toBeUndefined()
})

test.each([[undefined], ['text'], [[null, 7, { kind: 'Secret' }]]])('references that are none: %j', async (resourceRefs) => {
  const odd = { ...box(), spec: { crossplane: { resourceRefs } } } as KubeObject
  expect(await findPublished(nobody, odd, among())).toBeUndefined()
})
