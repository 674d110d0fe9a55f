import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { findCondition, type KubeObject } from '../../packages/api/src/index.ts'
import { type Client, createClient } from '../../packages/client/src/index.ts'
import { conditionsOf } from '../../packages/composition/src/index.ts'
import { type ControlPlane, startControlPlane } from '../../packages/controlplane/src/index.ts'
import { inProcessTransport } from '../../packages/plane/src/index.ts'
import { ADMINISTRATOR, eventually } from '../../packages/testing/src/index.ts'
import { readGuide } from '../docs/guide-commands.ts'
import { ensureTerraformProviders } from './build.mjs'

const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`the guide to Terraform providers is not followed: ${skipped}`)

const REQUIREMENT = { group: 'platform.example.org', kind: 'NoteRequirement' }

describe.skipIf(skipped !== undefined)('the guide to Terraform providers', () => {
  let home: string
  let plane: ControlPlane | undefined
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
      packagePaths: [dirname(built.local)],
      log: () => {},
    })
    client = createClient({ transport: inProcessTransport(plane.api, ADMINISTRATOR), fieldManager: 'test' })
  }, 900_000)
  afterAll(async () => {
    await plane?.stop(0)
    await rm(home, { recursive: true, force: true })
  })

  test('leads to a claim that a provider satisfies, and away again', async () => {
    const { yaml } = await readGuide('terraform')
    const note = join(home, 'note.txt')
    // As it is written, but with a program of this machine instead of a registry's, and a file of this test's own.
    const here = (text: string): string =>
      text
        .replace('terraform:hashicorp/local', `terraform:hashicorp/local@0.0.1?from=${'skipped' in built ? '' : built.local}`)
        .replaceAll('/tmp/weft-note.txt', note)
    const objects = yaml.flatMap((text) => parseAllDocuments(here(text)).map((document) => document.toJS() as KubeObject))
    expect(objects.map(({ kind }) => kind)).toContain('NoteRequirement')
    for (const object of objects) await eventually(async () => void (await client.apply(object)))
    await eventually(async () => {
      const found = await client.get(REQUIREMENT, { namespace: 'default', name: 'hello' })
      expect(findCondition(conditionsOf(found), 'Ready')?.status).toBe('True')
    })
    expect(await readFile(note, 'utf8')).toBe('Hello from Terraform')
    await client.delete(REQUIREMENT, { namespace: 'default', name: 'hello' })
    await eventually(() => expect(readFile(note)).rejects.toMatchObject({ code: 'ENOENT' }))
  }, 180_000)
})
