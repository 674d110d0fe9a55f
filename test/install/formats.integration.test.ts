import { readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { createClient, httpTransport, loadKubeconfig, type Client } from '@weft/client'
import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { weftWith } from '../integration/weft-command.ts'
import { startWeft, type WeftProcess } from '../weft-process.ts'

const folderOfFormats = fileURLToPath(new URL('../formats/', import.meta.url))
const versions = readdirSync(folderOfFormats).flatMap((file) => /^(.+)\.mdb\.br$/.exec(file)?.[1] ?? [])

interface Kept {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  readonly uid: string
  readonly spec?: unknown
  readonly data?: unknown
}

it('the format of this version is kept', async () => {
  const manifest = await readFile(new URL('../../packages/cli/package.json', import.meta.url), 'utf8')
  expect(versions, 'run node scripts/release/keep-format.mjs and commit what it makes').toContain(
    (JSON.parse(manifest) as { version: string }).version,
  )
})

describe.each(versions)('what version %s has stored', (version) => {
  let folder: string
  let control: WeftProcess
  let client: Client
  let close: () => Promise<void>
  let kept: readonly Kept[]
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-formats-'))
    kept = JSON.parse(await readFile(join(folderOfFormats, `${version}.json`), 'utf8')) as readonly Kept[]
    const backup = join(folder, 'backup.mdb')
    await writeFile(backup, brotliDecompressSync(await readFile(join(folderOfFormats, `${version}.mdb.br`))))
    expect(await weftWith({}, 'check', backup)).toMatchObject({ code: 0 })
    const dataDir = join(folder, 'data')
    expect(await weftWith({}, 'restore', backup, '--data-dir', dataDir)).toMatchObject({ code: 0 })
    control = await startWeft({ dataDir, args: ['--provider', 'nop'] })
    const transport = httpTransport(await loadKubeconfig({ paths: [control.kubeconfig] }))
    close = () => transport.close()
    client = createClient({ transport, fieldManager: 'test' })
  })
  afterAll(async () => {
    await close?.()
    await control?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const groupOf = (apiVersion: string): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '')
  const find = ({ apiVersion, kind, namespace, name }: Kept) =>
    client.get({ group: groupOf(apiVersion), kind }, { ...(namespace !== undefined && { namespace }), name })

  it('is all there, as it was', async () => {
    expect(kept.length).toBeGreaterThan(10)
    for (const each of kept) {
      // A kind that was defined is served a moment after the start.
      const found = await eventually(() => find(each))
      expect(found.metadata.uid, `${each.kind} ${each.name}`).toBe(each.uid)
      if (each.spec !== undefined) expect(found['spec'], `${each.kind} ${each.name}`).toMatchObject(each.spec as object)
      if (each.data !== undefined) expect(found['data'], `${each.kind} ${each.name}`).toEqual(each.data)
    }
  })

  it('is taken care of from there: a change goes all the way down', async () => {
    const requirement = kept.find(({ kind }) => kind === 'QueueRequirement')
    const member = kept.find(({ kind }) => kind === 'NopResource')
    if (requirement === undefined || member === undefined) throw new Error(`the fixture of ${version} has no requirement`)
    const options = { env: { KUBECONFIG: control.kubeconfig } }
    const patch = ['patch', 'queuerequirement', 'orders', '-n', 'shop', '-p', '{"spec":{"color":"red"}}']
    expect(await weftWith(options, ...patch)).toMatchObject({ code: 0 })
    await eventually(async () => expect((await find(member))['spec']).toMatchObject({ forProvider: { fields: { color: 'red' } } }))
  })
})
