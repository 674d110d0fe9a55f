import { spawnSync } from 'node:child_process'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@weft/api'
import { createClient, httpTransport, parseKubeconfig } from '@weft/client'
import { eventually } from '@weft/testing'
import { expect, it } from 'vitest'
import { startWeft } from '../weft-process.ts'
import { weftWith } from './weft-command.ts'

const CONFIG_MAP = { group: '', kind: 'ConfigMap' }
const MEGABYTE = Buffer.alloc(1024 * 1024, 'x')
const configMap = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { text: 'x'.repeat(200_000) },
})

/** A file that takes all room that is left. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    for (;;) await file.write(MEGABYTE)
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
  } finally {
    await file.close()
  }
}

it('a disk that is full is told by /readyz and weft status, refuses writes in words, loses nothing, and recovers', async ({ skip }) => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-full-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'weft-full', folder])
  if (mounted.status !== 0) {
    await rm(folder, { recursive: true })
    return skip('file systems cannot be mounted here')
  }
  const process = await startWeft({ dataDir: join(folder, 'data'), args: ['--api-only'] })
  const transport = httpTransport(await parseKubeconfig(await readFile(process.kubeconfig, 'utf8')))
  try {
    const client = createClient({ transport, fieldManager: 'test' })
    const status = () => weftWith({ env: { KUBECONFIG: process.kubeconfig } }, 'status')
    const acknowledged = ['first']
    await client.create(configMap('first'))
    expect(await status()).toMatchObject({ code: 0, stdout: expect.stringMatching(/Health: +ready/) })
    await fill(join(folder, 'filler'))
    // What was reserved before may still take a few.
    const refusal = await eventually(async () => {
      const name = `more-${acknowledged.length}`
      const error = await client.create(configMap(name)).then(
        () => undefined,
        (reason: unknown) => reason as Error,
      )
      if (error !== undefined) return error
      acknowledged.push(name)
      throw new Error('there is still room')
    })
    expect(refusal.message).toMatch(/disk|space|full/)
    expect(await status()).toMatchObject({ code: 1, stdout: expect.stringMatching(/Health: +not ready: .*disk/) })
    expect((await client.list(CONFIG_MAP, { namespace: 'default' })).items.map(({ metadata }) => metadata.name)).toEqual(
      expect.arrayContaining(acknowledged),
    )
    await rm(join(folder, 'filler'))
    await eventually(() => client.create(configMap('after')))
    expect((await status()).code).toBe(0)
    const names = (await client.list(CONFIG_MAP, { namespace: 'default' })).items.map(({ metadata }) => metadata.name)
    expect(names).toEqual(expect.arrayContaining([...acknowledged, 'after']))
  } finally {
    await transport.close()
    await process.stop()
    spawnSync('umount', [folder])
    await rm(folder, { recursive: true, force: true })
  }
})
