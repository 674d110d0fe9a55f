import type { KubeObject } from '@weft/api'
import { compositeDefinition, kubernetesAccess, namedFunction } from '@weft/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isTrue, says, startWorld, type World } from '../definition/world.fixture.ts'
import { startXrdControllers } from '../start-xrd-controllers.ts'

/** An application as people publish it: a Deployment, a Service and an Ingress beside a composite in its namespace, by the functions that are built in. */
const GROUP = 'run.example.org'
const APP = { group: GROUP, kind: 'WebShop' }
const PLACE = { name: 'shop', namespace: 'default' }
const DEPLOYMENT = { group: 'apps', kind: 'Deployment' }

const text = { type: 'string' }
const definition = compositeDefinition({
  group: GROUP,
  kind: 'WebShop',
  spec: { image: text, host: text },
  status: { url: text },
  more: { scope: 'Namespaced' },
})
const from = (fromFieldPath: string, toFieldPath: string): object => ({ type: 'FromCompositeFieldPath', fromFieldPath, toFieldPath })
// Nothing here runs pods, or gives addresses.
const readinessChecks = [{ type: 'None' }]
const backend = { service: { name: 'shop', port: { number: 80 } } }
const resources = [
  {
    name: 'deployment',
    base: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      spec: {
        selector: { matchLabels: { app: 'shop' } },
        template: { metadata: { labels: { app: 'shop' } }, spec: { containers: [{ name: 'web' }] } },
      },
    },
    patches: [from('metadata.name', 'metadata.name'), from('spec.image', 'spec.template.spec.containers[0].image')],
    readinessChecks,
  },
  {
    name: 'service',
    base: { apiVersion: 'v1', kind: 'Service', spec: { selector: { app: 'shop' }, ports: [{ port: 80, targetPort: 8080 }] } },
    patches: [from('metadata.name', 'metadata.name')],
  },
  {
    name: 'ingress',
    base: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      spec: { rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
    },
    patches: [
      from('metadata.name', 'metadata.name'),
      from('spec.host', 'spec.rules[0].host'),
      { type: 'ToCompositeFieldPath', fromFieldPath: 'spec.rules[0].host', toFieldPath: 'status.url' },
    ],
    readinessChecks,
  },
]
const composition: KubeObject = {
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'Composition',
  metadata: { name: 'webshop' },
  spec: {
    compositeTypeRef: { apiVersion: `${GROUP}/v1`, kind: 'WebShop' },
    mode: 'Pipeline',
    pipeline: [
      {
        step: 'resources',
        functionRef: { name: 'function-patch-and-transform' },
        input: { apiVersion: 'pt.fn.crossplane.io/v1beta1', kind: 'Resources', resources },
      },
      { step: 'ready', functionRef: { name: 'function-auto-ready' } },
    ],
  },
}
const shop = (image: string): KubeObject => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'WebShop',
  metadata: PLACE,
  spec: { image, host: 'shop.example.org' },
})

let world: World
beforeAll(async () => {
  world = await startWorld({ start: (services) => startXrdControllers(services) })
  await world.create(
    namedFunction('function-patch-and-transform'),
    namedFunction('function-auto-ready'),
    definition,
    composition,
    shop('registry.example.org/shop:1'),
  )
})
afterAll(() => world?.stop())

const image = (object: KubeObject): unknown =>
  (object['spec'] as { template: { spec: { containers: { image?: string }[] } } }).template.spec.containers[0]?.image

test.skipIf(kubernetesAccess() === undefined)('K61, K63: on a cluster it runs as it stands, follows an edit, and goes', async () => {
  const ready = await world.until(APP, PLACE, isTrue('Ready'))
  expect(ready['status']).toMatchObject({ url: 'shop.example.org' })
  expect(image(await world.client.get(DEPLOYMENT, PLACE))).toBe('registry.example.org/shop:1')
  const owner = { kind: 'WebShop', name: 'shop', uid: ready.metadata.uid, controller: true }
  for (const kind of [DEPLOYMENT, { group: '', kind: 'Service' }, { group: 'networking.k8s.io', kind: 'Ingress' }])
    expect((await world.client.get(kind, PLACE)).metadata.ownerReferences).toMatchObject([owner])
  await world.apply(shop('registry.example.org/shop:2'))
  await world.until(DEPLOYMENT, PLACE, (object) => image(object) === 'registry.example.org/shop:2')
  await world.client.delete(APP, PLACE)
  await world.gone(APP, PLACE)
  await world.gone(DEPLOYMENT, PLACE)
})

test.skipIf(kubernetesAccess() !== undefined)('K69: where nothing serves Deployments, it says so, and nothing is half made', async () => {
  await world.until(
    APP,
    PLACE,
    says('Synced', /cannot apply composed resource "deployment": nothing serves Deployment\.apps in version v1; install what defines it/),
  )
  expect(await world.client.find({ group: '', kind: 'Service' }, PLACE)).toBeUndefined()
})
