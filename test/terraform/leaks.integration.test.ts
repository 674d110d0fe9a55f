import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCondition, type KubeObject } from '../../packages/api/src/index.ts'
import { type Client, createClient, httpTransport, loadKubeconfig } from '../../packages/client/src/index.ts'
import { conditionsOf } from '../../packages/composition/src/index.ts'
import { eventually } from '../../packages/testing/src/index.ts'
import { weftWith } from '../integration/weft-command.ts'
import { startWeft, type WeftProcess } from '../weft-process.ts'
import { ensureTerraformProviders, type TerraformProviders } from './build.mjs'

const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`tests of Terraform providers are skipped: ${skipped}`)

const GROUP = 'weftframework.tf.weft.dev'
const LEAKY = { group: GROUP, kind: 'Leaky' }
const MARK = 'pl4nted'
/** With all that quoting changes. */
const SECRETS = {
  password: `pass"word\\${MARK}&1`,
  written: `written ${MARK} 2`,
  secret: `first ${MARK} line\nsecond ${MARK} line`,
  token: `token-${MARK}-4`,
  key: `key-${MARK}-5`,
  wrong: `wrong-${MARK}-6`,
}
/** What tells that one of them is there: the mark, or the mark in what was encoded. */
const SIGNS = [MARK, ...Object.values(SECRETS).map((secret) => Buffer.from(secret).toString('base64'))]
const tellsIn = (text: string): string[] =>
  SIGNS.filter((sign) => text.includes(sign)).map((sign) => text.slice(Math.max(0, text.indexOf(sign) - 200), text.indexOf(sign) + 60))

describe.skipIf(skipped !== undefined)('secrets of Terraform resources', () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-leaks-'))
  const audit = join(home, 'audit.log')
  let weft: WeftProcess
  let client: Client
  let cookie = ''
  let origin = ''
  const ends: (() => Promise<unknown>)[] = []
  const create = (object: object): Promise<void> => eventually(async () => void (await client.create(object as KubeObject)))

  beforeAll(async () => {
    if ('skipped' in built) return
    // As root the provider is somebody else.
    chmodSync(home, 0o777)
    weft = await startWeft({
      console: true,
      args: ['--provider', 'nop', '--allow-provider-executables', '--package-path', dirname(built.framework), '--audit-log', audit],
    })
    const { namespace: _, ...connection } = await loadKubeconfig({ paths: [weft.kubeconfig] })
    const transport = httpTransport(connection)
    ends.push(() => transport.close())
    client = createClient({ transport, fieldManager: 'test' })
    const link = await eventually(() => {
      const found = /(https?:\S+\/console\/sign-in#code=\S+)/.exec(weft.output())?.[1]
      if (found === undefined) throw new Error('there is no link yet')
      return new URL(found)
    })
    origin = link.origin
    const session = await fetch(new URL('/console/session', origin), {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ code: link.hash.slice('#code='.length) }),
    })
    cookie = (session.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
    await plant(built)
  }, 300_000)
  afterAll(async () => {
    for (const end of ends) await end()
    await weft?.stop()
    rmSync(home, { recursive: true, force: true })
  })

  async function plant({ framework }: TerraformProviders): Promise<void> {
    const provider = { apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: { name: 'terraform-weftframework' } }
    await create({ ...provider, spec: { package: `terraform:hashicorp/weftframework@0.0.1?from=${framework}` } })
    const policy = {
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: 'ManagedResourceActivationPolicy',
      metadata: { name: 'leaks' },
    }
    await create({ ...policy, spec: { activate: [`*.${GROUP}`] } })
    const secret = (name: string, stringData: object): object => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'default', name },
      stringData,
    })
    const { password, written, secret: inside, token, key, wrong } = SECRETS
    await create(secret('inputs', { password, written, inside }))
    await create(secret('tokens', { token }))
    for (const [name, value] of [
      ['default', key],
      ['wrong', wrong],
    ] as const) {
      await create(secret(`config-${name}`, { api_key: value }))
      await create({
        apiVersion: `${GROUP}/v1alpha1`,
        kind: 'ProviderConfig',
        metadata: { name },
        spec: {
          configuration: { directory: home },
          credentials: { source: 'Secret', secretRef: { namespace: 'default', name: `config-${name}` } },
        },
      })
    }
    for (const [name, mode, config] of [
      ['made', null, 'default'],
      ['failed', 'fail', 'default'],
      ['half', 'partial', 'default'],
      ['stays', 'stay', 'default'],
      ['denied', null, 'wrong'],
    ] as const)
      await create(leaky(name, mode, config))
  }

  const leaky = (name: string, mode: string | null, config = 'default'): KubeObject => {
    const from = (key: string): object => ({ namespace: 'default', name: 'inputs', key })
    return {
      apiVersion: `${GROUP}/v1alpha1`,
      kind: 'Leaky',
      metadata: { name },
      spec: {
        providerConfigRef: { name: config },
        writeConnectionSecretToRef: { namespace: 'default', name: `connection-${name}` },
        forProvider: {
          name,
          mode,
          passwordSecretRef: from('password'),
          writtenSecretRef: from('written'),
          tokensSecretRef: { namespace: 'default', name: 'tokens' },
          login: [{ user: 'somebody', secretSecretRef: from('inside') }],
        },
      },
    }
  }

  const message = async (name: string, type: 'Ready' | 'Synced', pattern: RegExp): Promise<void> =>
    eventually(async () => {
      const condition = findCondition(conditionsOf(await client.get(LEAKY, { name })), type)
      expect(`${condition?.status} ${condition?.message ?? ''}`).toMatch(pattern)
    })

  const ask = async (path: string): Promise<Record<string, unknown>> => {
    const answer = await fetch(new URL(path, origin), { headers: { origin, cookie } })
    const text = await answer.text()
    return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text }
  }

  test('T207: appear nowhere but in Secrets, whatever their provider does', async () => {
    // Each comes to what it was planted for, or nothing would be proven.
    await message('made', 'Ready', /^True/)
    await message('failed', 'Synced', /^False .*it cannot be made with \[?\(hidden\)/)
    await message('half', 'Ready', /^False .*partly created.*\(hidden\)/)
    await message('denied', 'Synced', /^False .*use another one than \(hidden\)/)
    await client.patch(LEAKY, { name: 'made' }, { type: 'merge', body: { spec: { forProvider: { name: 'changed' } } } })
    await message('made', 'Synced', /^False .*it cannot be changed.*\(hidden\)/)
    await message('stays', 'Ready', /^True/)
    await client.delete(LEAKY, { name: 'stays' })
    await message('stays', 'Synced', /^False .*it cannot be deleted.*\(hidden\)/)

    // Last: it takes the process down with all who are in it.
    await create(leaky('panicked', 'panic'))
    await message('panicked', 'Synced', /^False .*(process of the provider ended|crashed|interrupted)/)

    const found: Record<string, string[]> = {}
    const search = (place: string, text: string): void => {
      const tells = tellsIn(text)
      if (tells.length > 0) found[place] = tells
    }
    // Every object of every kind, as the console gets them.
    const groups = (await ask('/k8s/apis'))['groups'] as { preferredVersion: { groupVersion: string } }[]
    const paths = ['api/v1', ...groups.map(({ preferredVersion }) => `apis/${preferredVersion.groupVersion}`)]
    let lists = 0
    for (const path of paths) {
      const { resources = [] } = (await ask(`/k8s/${path}`)) as { resources?: { name: string; verbs: string[] }[] }
      for (const { name, verbs } of resources)
        if (verbs.includes('list') && name !== 'secrets') {
          lists++
          search(`${path}/${name}`, JSON.stringify(await ask(`/k8s/${path}/${name}`)))
        }
    }
    expect(lists).toBeGreaterThan(20)
    search('metrics of the console', JSON.stringify(await ask('/console/metrics')))

    // What people read.
    const manifest = join(home, 'leaky.yaml')
    writeFileSync(manifest, JSON.stringify(leaky('made', 'other')))
    const env = { KUBECONFIG: weft.kubeconfig, WEFT_DATA_DIR: weft.dataDir }
    for (const args of [
      ['get', 'leakies', '-o', 'yaml'],
      ['get', 'events', '-A', '-o', 'yaml'],
      ['describe', 'leaky', 'made'],
      ['describe', 'leaky', 'half'],
      ['trace', 'leaky/made'],
      ['trace', 'leaky/failed'],
      ['events'],
      ['status'],
      ['diff', '-f', manifest],
      ['logs', 'terraform-weftframework', '--data-dir', weft.dataDir],
    ]) {
      const { output } = await weftWith({ env }, ...args)
      search(`weft ${args.join(' ')}`, output)
    }
    search('weft up', weft.output())

    // What is on disk for people to read.
    const logs = join(weft.dataDir, 'logs')
    const printed = readdirSync(logs).map((file) => [file, readFileSync(join(logs, file), 'utf8')] as const)
    for (const [file, text] of printed) search(`logs/${file}`, text)
    expect(printed.map(([, text]) => text).join(''), 'the provider told all that it knows').toMatch(/it knows .*\(hidden\)/)
    search('the audit log', readFileSync(audit, 'utf8'))
    expect(readFileSync(audit, 'utf8')).toContain('leakies')
    expect(found).toEqual({})
    // They are where they belong.
    const connection = await client.get({ group: '', kind: 'Secret' }, { namespace: 'default', name: 'connection-made' })
    expect(Buffer.from((connection['data'] as Record<string, string>)['attribute.generated'] ?? '', 'base64').toString()).toContain(MARK)
  }, 300_000)
})
