import { setTimeout } from 'node:timers/promises'
import type { KubeObject } from '@weft/api'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../admission/admission.fixture.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const CRD = `${CRDS}/widgets.example.org`
const widgets = (version: string): string => `/apis/example.org/${version}/namespaces/default/widgets`
const MERGE = { contentType: 'application/merge-patch+json' }
const JSON_PATCH = { contentType: 'application/json-patch+json' }

let weft: TestServer
beforeAll(async () => {
  weft = await startServer()
})
afterAll(() => weft.close())

const version = (name: string, storage: boolean, properties: object = {}): object => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', properties, 'x-kubernetes-preserve-unknown-fields': true } },
})

const definition = (spec: object = {}): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.org' },
  spec: {
    group: 'example.org',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [version('v1', true), version('v2', false)],
    ...spec,
  },
})

async function until(url: string, isThere: (answer: { code: number; body: KubeObject }) => boolean): Promise<void> {
  while (!isThere(await weft.call('GET', url))) await setTimeout(5)
}
const served = (name: string, code = 200): Promise<void> => until(widgets(name), (answer) => answer.code === code)

afterEach(async () => {
  await weft.call('DELETE', CRD)
  await until(CRD, ({ code }) => code === 404)
})

describe('a watch of a custom resource', () => {
  it.each([
    { reason: 'its version is served no longer', change: [{ op: 'replace', path: '/spec/versions/1/served', value: false }] },
    { reason: 'another version is served no longer', change: [{ op: 'replace', path: '/spec/versions/0/served', value: false }] },
    { reason: 'the schema changed', change: [{ op: 'add', path: '/spec/versions/1/schema/openAPIV3Schema/description', value: 'new' }] },
    { reason: 'the names changed', change: [{ op: 'add', path: '/spec/names/shortNames', value: ['wi'] }] },
  ])('ends when $reason', async ({ change }) => {
    await weft.ok('POST', CRDS, definition())
    await served('v2')
    const watch = await weft.watch(`${widgets('v2')}?watch=true`)
    await weft.ok('PATCH', CRD, change, JSON_PATCH)
    await watch.ended()
    expect(watch.events).toEqual([])
  })

  it('ends when the definition is gone, after it told of the instances', async () => {
    await weft.ok('POST', CRDS, definition())
    await served('v1')
    await weft.ok('POST', widgets('v1'), { apiVersion: 'example.org/v1', kind: 'Widget', metadata: { name: 'a' } })
    const watch = await weft.watch(`${widgets('v1')}?watch=true`)
    await weft.ok('DELETE', CRD)
    await watch.ended()
    expect(watch.events.map(({ type }) => type)).toEqual(['ADDED', 'DELETED'])
  })

  it('goes on when nothing changed that concerns serving', async () => {
    await weft.ok('POST', CRDS, definition())
    await served('v1')
    const watch = await weft.watch(`${widgets('v1')}?watch=true`)
    await weft.ok('PATCH', CRD, { metadata: { labels: { a: 'b' } } }, MERGE)
    await weft.ok('PATCH', `${CRD}/status`, { status: { storedVersions: ['v1', 'v2'] } }, MERGE)
    await weft.ok('POST', widgets('v1'), { apiVersion: 'example.org/v1', kind: 'Widget', metadata: { name: 'a' } })
    expect((await watch.until(1)).map(({ type }) => type)).toEqual(['ADDED'])
    watch.close()
  })
})

describe('a definition whose converter cannot be trusted', () => {
  const conversion = (caBundle: string): object => ({
    conversion: {
      strategy: 'Webhook',
      webhook: { clientConfig: { url: 'https://127.0.0.1:1/', caBundle }, conversionReviewVersions: ['v1'] },
    },
  })
  const established = ({ body }: { body: KubeObject }): Record<string, unknown> | undefined =>
    ((body['status'] as Record<string, any>)?.['conditions'] ?? []).find((c: { type: string }) => c.type === 'Established')
  const base64 = (text: string): string => Buffer.from(text).toString('base64')

  it.each([base64('nonsense'), base64('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')])(
    'is not established, and served once that is mended: %s',
    async (caBundle) => {
      await weft.ok('POST', CRDS, definition(conversion(caBundle)))
      await until(CRD, (answer) => established(answer) !== undefined)
      expect(established(await weft.call('GET', CRD))).toMatchObject({
        status: 'False',
        reason: 'InvalidCABundle',
        message: 'The conversion webhook CABundle is invalid',
      })
      expect((await weft.call('GET', widgets('v1'))).code).toBe(404)
      await weft.ok('PATCH', CRD, { spec: { conversion: { strategy: 'None', webhook: null } } }, MERGE)
      await served('v1')
      const { code, body } = await weft.call('PATCH', CRD, { spec: conversion(caBundle) }, MERGE)
      expect([code, body.message]).toEqual([422, expect.stringContaining('unable to load root certificates')])
    },
  )
})

it('what a schema says of apiVersion, kind and the name is enforced', async () => {
  const name = { type: 'string', pattern: '^a', maxLength: 3 }
  const properties = {
    apiVersion: { type: 'string', pattern: '/v2$' },
    kind: { type: 'string', enum: ['Gadget'] },
    metadata: { type: 'object', properties: { name } },
  }
  await weft.ok('POST', CRDS, definition({ versions: [version('v1', true, properties)] }))
  await served('v1')
  const { code, body } = await weft.call('POST', widgets('v1'), {
    apiVersion: 'example.org/v1',
    kind: 'Widget',
    metadata: { name: 'bcde' },
  })
  expect(code).toBe(422)
  for (const part of ['apiVersion: Invalid value', 'kind: Unsupported value', 'metadata.name: Too long'])
    expect(body.message).toContain(part)
})

it('a finalizer may stand twice', async () => {
  await weft.ok('POST', CRDS, definition())
  await served('v1')
  const { metadata } = await weft.ok('POST', widgets('v1'), {
    apiVersion: 'example.org/v1',
    kind: 'Widget',
    metadata: { name: 'a', finalizers: ['example.org/a', 'example.org/a'] },
  })
  expect(metadata.finalizers).toEqual(['example.org/a', 'example.org/a'])
  await weft.ok('PATCH', `${widgets('v1')}/a`, { metadata: { finalizers: null } }, MERGE)
})
