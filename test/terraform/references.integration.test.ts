import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCondition, type KubeObject } from '../../packages/api/src/index.ts'
import { conditionsOf } from '../../packages/composition/src/index.ts'
import { eventually } from '../../packages/testing/src/index.ts'
import { ensureTerraformProviders, type TerraformProviders } from './build.mjs'
import { openProviderPlane, type ProviderPlane } from './provider-plane.ts'

const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`references between resources of Terraform providers are not tried: ${skipped}`)

const GROUP = 'local.tf.weft.dev'
const FILE = { group: GROUP, kind: 'File' }
const OVERLAY = 'types:\n  local_file:\n    references:\n      content: {type: local_file, attribute: content_sha256}\n'

describe.skipIf(skipped !== undefined)('references between resources of a real provider', () => {
  const providers = built as TerraformProviders
  let world: ProviderPlane
  beforeAll(async () => {
    world = await openProviderPlane([dirname(providers.local)])
    const overlays = join(world.home, 'data', 'terraform', 'overlays')
    mkdirSync(overlays, { recursive: true })
    writeFileSync(join(overlays, 'registry.opentofu.org+hashicorp+local.yaml'), OVERLAY)
    await world.install('local', 'hashicorp/local', providers.local)
    await world.client.create({
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: 'ManagedResourceActivationPolicy',
      metadata: { name: 'local' },
      spec: { activate: [`files.${GROUP}`] },
    })
  }, 900_000)
  afterAll(() => world?.close())

  const pathOf = (name: string): string => join(world.things, name)
  const file = (name: string, forProvider: object, labels: Record<string, string> = {}): KubeObject =>
    ({
      apiVersion: `${GROUP}/v1alpha1`,
      kind: 'File',
      metadata: { name, labels },
      spec: { forProvider: { filename: pathOf(name), ...forProvider } },
    }) as KubeObject
  const create = (object: KubeObject): Promise<KubeObject> => eventually(() => world.client.create<KubeObject>(object))
  const synced = (name: string, status: string, message: RegExp): Promise<void> =>
    eventually(async () => {
      const found = findCondition(conditionsOf(await world.client.get(FILE, { name })), 'Synced')
      expect(found?.status, found?.message).toBe(status)
      expect(found?.message ?? '').toMatch(message)
    })
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

  test('are filled by name and by labels, wait for what is not there yet, and say for what', async () => {
    await create(file('by-name', { contentRef: { name: 'source' } }))
    await create(file('by-label', { contentSelector: { matchLabels: { role: 'source' } } }))
    await synced('by-name', 'False', /contentRef: there is no File\S* named source$/)
    await synced('by-label', 'False', /role|label|match/)
    await create(file('source', { content: 'hello' }, { role: 'source' }))
    for (const name of ['by-name', 'by-label']) {
      await synced(name, 'True', /^$/)
      expect(readFileSync(pathOf(name), 'utf8')).toBe(sha256('hello'))
      expect((await world.client.get(FILE, { name }))['spec']).toMatchObject({
        forProvider: { content: sha256('hello'), contentRef: { name: 'source' } },
      })
    }
  }, 240_000)
})
