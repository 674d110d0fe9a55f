import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, startServer } from '../admission/admission.fixture.ts'
import { openLmdbStorage } from '../storage/index.ts'

const COLLECTION = '/api/v1/namespaces/default/configmaps'
const shell = (line: string): { readonly status: number | null } => spawnSync('sh', ['-c', line])
const root = mkdtempSync(join(tmpdir(), 'weft-full-'))
const mounted = process.platform === 'linux' && shell(`mount -t tmpfs -o size=24m weft-test ${root}`).status === 0
afterAll(() => {
  if (mounted) shell(`umount ${root}`)
  rmSync(root, { recursive: true, force: true })
})

describe.skipIf(!mounted)('a server whose disk is full', () => {
  // lmdb prints commit errors.
  const { error } = console
  beforeAll(() => {
    console.error = () => undefined
  })
  afterAll(() => {
    console.error = error
  })

  it('refuses writes in words, goes on reading, and writes again when there is space', async () => {
    const ballast = join(root, 'ballast')
    writeFileSync(ballast, Buffer.alloc(12 * 1024 * 1024))
    const directory = join(root, 'data')
    mkdirSync(directory)
    const storage = await openLmdbStorage({ directory })
    const world = await startServer({ storage })
    const create = (name: string): Promise<Answer> =>
      world.call('POST', COLLECTION, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value: 'x'.repeat(200_000) } })
    let made = 0
    let refused: Answer | undefined
    while (refused === undefined) {
      const answer = await create(`object-${made}`)
      if (answer.code === 201) made++
      else refused = answer
    }
    expect(refused).toMatchObject({ code: 503, body: { reason: 'ServiceUnavailable' } })
    expect(refused.body.message).toContain('the disk is full')
    expect(made).toBeGreaterThan(5)
    expect((await world.ok('GET', COLLECTION)).items?.length).toBeGreaterThanOrEqual(made)
    expect((await world.call('GET', `${COLLECTION}/object-${made}`)).code, 'what was refused is not there').toBe(404)

    rmSync(ballast)
    expect((await create('after')).code).toBe(201)
    expect((await create(`object-${made}`)).code).toBe(201)
    await world.close()
    await storage.close()
    const again = await openLmdbStorage({ directory })
    expect(again.get('/registry/core/configmaps/default/after')).toBeDefined()
    await again.close()
  })
})
