import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCondition, type KubeObject } from '../../packages/api/src/index.ts'
import { type Client, createClient } from '../../packages/client/src/index.ts'
import { conditionsOf } from '../../packages/composition/src/index.ts'
import { type ControlPlane, startControlPlane } from '../../packages/controlplane/src/index.ts'
import { inProcessTransport } from '../../packages/plane/src/index.ts'
import { ADMINISTRATOR, eventually } from '../../packages/testing/src/index.ts'
import { ensureTerraformProviders } from './build.mjs'

const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`tests of Terraform providers are skipped: ${skipped}`)

const LOCAL = 'local.tf.weft.dev'
const TIME = 'time.tf.weft.dev'

describe.skipIf(skipped !== undefined)('real providers in a whole control plane', () => {
  let home: string
  let plane: ControlPlane
  let client: Client
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'weft-tf-'))
    // As root the provider is somebody else.
    await chmod(home, 0o777)
    if ('skipped' in built) return
    plane = await startControlPlane({
      dataDir: join(home, 'data'),
      providers: [],
      providerExecutables: true,
      packagePaths: [dirname(built.time)],
      log: () => {},
    })
    client = createClient({ transport: inProcessTransport(plane.api, ADMINISTRATOR), fieldManager: 'test' })
    for (const [type, program] of [
      ['time', built.time],
      ['local', built.local],
    ] as const) {
      await client.create({
        apiVersion: 'pkg.crossplane.io/v1',
        kind: 'Provider',
        metadata: { name: type },
        spec: { package: `terraform:hashicorp/${type}@0.0.1?from=${program}` },
      })
      await client.create({
        apiVersion: 'apiextensions.crossplane.io/v1alpha1',
        kind: 'ManagedResourceActivationPolicy',
        metadata: { name: type },
        spec: { activate: [`*.${type}.tf.weft.dev`] },
      })
    }
  }, 900_000)
  afterAll(async () => {
    await plane?.stop(0)
    await rm(home, { recursive: true, force: true })
  })

  const ready = (group: string, kind: string, name: string): Promise<KubeObject> =>
    eventually(async () => {
      const found = await client.get({ group, kind }, { name })
      expect(conditionsOf(found).map(({ type, status, message }) => [type, status, message ?? ''])).toEqual(
        expect.arrayContaining([
          ['Ready', 'True', expect.anything()],
          ['Synced', 'True', expect.anything()],
        ]),
      )
      return found
    })
  const create = (object: KubeObject): Promise<void> => eventually(async () => void (await client.create(object)))

  test('a file is made, shown and removed', async () => {
    const filename = join(home, 'hello.txt')
    const file = (content: string): KubeObject => ({
      apiVersion: `${LOCAL}/v1alpha1`,
      kind: 'File',
      metadata: { name: 'hello' },
      spec: { forProvider: { filename, content } },
    })
    await create(file('hello'))
    const made = await ready(LOCAL, 'File', 'hello')
    expect(await readFile(filename, 'utf8')).toBe('hello')
    expect(made['status']).toMatchObject({ atProvider: { filename, content: 'hello', contentSha256: expect.any(String) as string } })
    await client.delete({ group: LOCAL, kind: 'File' }, { name: 'hello' })
    await eventually(async () => expect(await client.find({ group: LOCAL, kind: 'File' }, { name: 'hello' })).toBeUndefined())
    await expect(readFile(filename)).rejects.toMatchObject({ code: 'ENOENT' })
  }, 120_000)

  test.skipIf(process.getuid?.() !== 0)(
    'T199: as root, a provider is a user of its own, who cannot read what is Weft’s',
    async () => {
      const filename = join(home, 'whose.txt')
      await create({
        apiVersion: `${LOCAL}/v1alpha1`,
        kind: 'File',
        metadata: { name: 'whose' },
        spec: { forProvider: { filename, content: 'mine' } },
      })
      await ready(LOCAL, 'File', 'whose')
      expect((await stat(filename)).uid).toBeGreaterThan(600_000)
      const secret = join(home, 'data', 'kubeconfig')
      expect(await readFile(secret, 'utf8'), 'there is something to read').toContain('clusters')
      await create({
        apiVersion: `${LOCAL}/v1alpha1`,
        kind: 'FileDataSource',
        metadata: { name: 'thief' },
        spec: { forProvider: { filename: secret } },
      })
      await eventually(async () => {
        const found = await client.get({ group: LOCAL, kind: 'FileDataSource' }, { name: 'thief' })
        expect(findCondition(conditionsOf(found), 'Synced')?.message).toMatch(/permission denied/)
        expect(JSON.stringify(found)).not.toContain('clusters')
      })
    },
    120_000,
  )

  test('what the schema does not say, the provider does, in the words of the object', async () => {
    await create({
      apiVersion: `${TIME}/v1alpha1`,
      kind: 'Offset',
      metadata: { name: 'wrong' },
      spec: { forProvider: { baseRfc3339: 'yesterday' } },
    })
    await eventually(async () => {
      const found = await client.get({ group: TIME, kind: 'Offset' }, { name: 'wrong' })
      const synced = findCondition(conditionsOf(found), 'Synced')
      expect(synced?.status).toBe('False')
      expect(synced?.message).toMatch(/baseRfc3339|base_rfc3339|RFC/i)
    })
  }, 120_000)

  test('a data source is looked up', async () => {
    const filename = join(home, 'looked-up.txt')
    await writeFile(filename, 'found')
    await create({
      apiVersion: `${LOCAL}/v1alpha1`,
      kind: 'FileDataSource',
      metadata: { name: 'look' },
      spec: { forProvider: { filename } },
    })
    expect((await ready(LOCAL, 'FileDataSource', 'look'))['status']).toMatchObject({ atProvider: { content: 'found' } })
  }, 120_000)
})
