import { hasReason, type KubeObject } from '@weft/api'
import { startControlPlane, type TestControlPlane } from '@weft/testing'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** On disk, where a write takes its time, and in process, where a retry takes none. */
let plane: TestControlPlane
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'weft-race-'))
  plane = await startControlPlane({ dataDir })
})
afterAll(async () => {
  await plane.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const KIND = { group: '', kind: 'ConfigMap' }
const config = (name: string, value: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { value },
})

describe('whoever loses a race', () => {
  it('X3: to create an object can read it when told that it exists', async () => {
    const { client } = plane
    const lose = async (value: string): Promise<KubeObject | undefined> => {
      try {
        return await client.create(config('created', value))
      } catch (error) {
        expect(hasReason(error, 'AlreadyExists')).toBe(true)
        return client.find(KIND, { name: 'created', namespace: 'default' })
      }
    }
    const seen = await Promise.all(['a', 'b', 'c'].map(lose))
    expect(seen.map((object) => object?.metadata.uid)).toEqual(Array(3).fill(seen[0]?.metadata.uid))
    expect(seen[0]).toBeDefined()
  })

  it('X3: to update an object needs one more try, not as many as fit into a commit', async () => {
    const { client } = plane
    const ref = { name: 'updated', namespace: 'default' }
    await client.create(config('updated', '0'))
    const tries: number[] = []
    const add = async (): Promise<void> => {
      for (let attempt = 1; ; attempt++) {
        const object = await client.get(KIND, ref)
        const value = String(Number((object['data'] as { value: string }).value) + 1)
        try {
          await client.update({ ...object, data: { value } })
          return void tries.push(attempt)
        } catch (error) {
          expect(hasReason(error, 'Conflict')).toBe(true)
        }
      }
    }
    await Promise.all(Array.from({ length: 10 }, add))
    expect(await client.get(KIND, ref)).toMatchObject({ data: { value: '10' } })
    expect(Math.max(...tries)).toBeLessThanOrEqual(10)
  })
})
