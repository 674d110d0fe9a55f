import { beforeEach, describe, expect, test } from 'vitest'
import type { KubeObject } from '@weft/api'
import { startServer, type TestServer } from '../admission/admission.fixture.ts'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const STORES = '/apis/example.org/v1/namespaces/default/stores'
const APPLY = 'application/apply-patch+yaml'
const OWNER = 'kustomize.toolkit.fluxcd.io/name'

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'stores.example.org' },
  spec: {
    group: 'example.org',
    scope: 'Namespaced',
    names: { kind: 'Store', plural: 'stores' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'integer', default: 1 }, region: { type: 'string' } } },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
}
const store = (spec: object = {}): object => ({
  apiVersion: 'example.org/v1',
  kind: 'Store',
  metadata: { name: 'shop', namespace: 'default', labels: { [OWNER]: 'platform' } },
  spec,
})
const versionOf = ({ metadata }: KubeObject): string | undefined => metadata.resourceVersion

/** What Flux's kustomize-controller and Argo CD ask of an API, request by request: their programs are not part of the tests. */
describe('the requests of GitOps controllers', () => {
  let world: TestServer
  beforeEach(async () => {
    world = await startServer()
    await world.ok('POST', DEFINITIONS, definition)
    while ((await world.call('GET', STORES)).code === 404) await new Promise((resolve) => setImmediate(resolve))
  })

  const apply = (body: object, query = ''): Promise<KubeObject> =>
    world.ok('PATCH', `${STORES}/shop?fieldManager=kustomize-controller&force=true${query}`, body, { contentType: APPLY })

  test('a dry run of an apply tells whether there is drift, and an apply of the same changes nothing', async () => {
    expect((await apply(store(), '&dryRun=All')).metadata.uid, 'before there is one').toBeDefined()
    expect((await world.call('GET', `${STORES}/shop`)).code).toBe(404)
    const made = await apply(store())
    expect(versionOf(await apply(store(), '&dryRun=All')), 'no drift').toBe(versionOf(made))
    expect(versionOf(await apply(store()))).toBe(versionOf(made))
    const drifted = await world.ok(
      'PATCH',
      `${STORES}/shop?fieldManager=kubectl-edit`,
      { spec: { region: 'north' } },
      {
        contentType: 'application/merge-patch+json',
      },
    )
    expect(versionOf(await apply(store(), '&dryRun=All')), 'what others own is no drift').toBe(versionOf(drifted))
    expect((await apply(store({ region: 'south' }), '&dryRun=All'))['spec']).toMatchObject({ region: 'south' })
    expect((await world.ok('GET', `${STORES}/shop`))['spec']).toMatchObject({ region: 'north' })
  })

  test('status is no drift: its owners are others', async () => {
    await apply(store())
    const status = { conditions: [{ type: 'Ready', status: 'True', reason: 'Available', observedGeneration: 1 }] }
    const ready = await world.ok(
      'PATCH',
      `${STORES}/shop/status?fieldManager=weft`,
      { status },
      { contentType: 'application/merge-patch+json' },
    )
    expect(versionOf(await apply(store()))).toBe(versionOf(ready))
    expect((await world.ok('GET', `${STORES}/shop`))['status']).toEqual(status)
  })

  test('a field that leaves the repository leaves the object', async () => {
    await apply(store({ region: 'north', size: 3 }))
    expect((await apply(store({ size: 3 })))['spec']).toEqual({ size: 3 })
  })

  test('owners of earlier tools can be taken over by a patch of managedFields', async () => {
    await world.ok('POST', `${STORES}?fieldManager=kubectl-client-side-apply`, store({ size: 2, region: 'north' }))
    const { metadata } = await world.ok('GET', `${STORES}/shop`)
    const [entry] = metadata.managedFields ?? []
    const patch = [
      { op: 'replace', path: '/metadata/managedFields', value: [{ ...entry, manager: 'kustomize-controller', operation: 'Apply' }] },
      { op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
    ]
    await world.ok('PATCH', `${STORES}/shop`, patch, { contentType: 'application/json-patch+json' })
    expect((await apply(store({ region: 'north' })))['spec'], 'now its own, and given up').toEqual({ size: 1, region: 'north' })
  })

  test('what leaves the repository is deleted in the background, and only the one that was meant', async () => {
    const { metadata } = await apply(store())
    const options = (uid: string): object => ({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Background',
      preconditions: { uid },
    })
    expect((await world.call('DELETE', `${STORES}/shop`, options('another'))).code).toBe(409)
    await world.ok('DELETE', `${STORES}/shop`, options(metadata.uid ?? ''))
    expect((await world.call('GET', `${STORES}/shop`)).code).toBe(404)
  })
})
