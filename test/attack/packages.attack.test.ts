import { chown, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCondition, type KubeObject } from '@weft/api'
import { eventually, waitFor } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unprivilegedUser } from '../weft-process.ts'
import { type AttackedWorld, outcome, type Persona, startAttackedWorld } from './world.ts'

const PROVIDER = { group: 'pkg.crossplane.io', kind: 'Provider' }
const provider = (name: string, source: string): KubeObject => ({
  apiVersion: 'pkg.crossplane.io/v1',
  kind: 'Provider',
  metadata: { name },
  spec: { package: source },
})
const installed = (object: KubeObject | undefined): { status?: string; message?: string } =>
  findCondition((object?.['status'] as { conditions?: [] } | undefined)?.conditions, 'Installed') ?? {}

/** What a package author would try: to look around, and to use the account for more than it is for. */
const CURIOUS = `
import { fstatSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { request } from 'node:https'
const { dataDir, home } = JSON.parse(readFileSync(new URL('./target.json', import.meta.url)))
const results = {}
const attempt = (name, what) => { try { what(); results[name] = 'allowed' } catch (error) { results[name] = 'refused' } }
attempt('data directory', () => readdirSync(dataDir))
attempt('database', () => readdirSync(dataDir + '/storage'))
attempt('kubeconfig', () => readFileSync(dataDir + '/kubeconfig'))
attempt('key of the authority', () => readdirSync(dataDir + '/pki'))
attempt('other providers', () => readdirSync(dataDir + '/providers/provider-nop'))
attempt('packages', () => readdirSync(dataDir + '/packages'))
attempt('environment of the control plane', () => readFileSync('/proc/' + process.ppid + '/environ'))
attempt('file of a person', () => readFileSync(home + '/private'))
const isOpen = (fd) => { try { return fstatSync(fd).isFile() } catch { return false } }
attempt('files that were left open', () => { if (![...Array(1024).keys()].some(isOpen)) throw new Error('none') })
attempt('change of its own code', () => writeFileSync(new URL(import.meta.url), ''))
const config = JSON.parse(readFileSync(process.env.KUBECONFIG, 'utf8'))
const token = readFileSync(config.users[0].user.tokenFile, 'utf8')
const ca = Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64')
const ask = (method, path, body) => new Promise((resolve) => {
  const call = request(config.clusters[0].cluster.server + path, { method, ca, headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' } }, (answer) => { let text = ''; answer.on('data', (chunk) => (text += chunk)); answer.on('end', () => resolve({ code: answer.statusCode, text })) })
  call.on('error', () => resolve({ code: 0 }))
  call.end(body && JSON.stringify(body))
})
const api = async (name, ...call) => { const { code } = await ask(...call); results[name] = code === 403 ? 'refused' : 'code ' + code }
await api('secret of another', 'GET', '/api/v1/namespaces/crossplane-system/secrets/crossplane-root-ca')
for (const where of ['', '/namespaces/crossplane-system']) {
  const { code, text } = await ask('GET', '/api/v1' + where + '/secrets')
  results['secrets of others' + where] = code === 200 && JSON.parse(text).items.length === 0 ? 'refused' : text
}
await api('packages of others', 'GET', '/apis/pkg.crossplane.io/v1/providers')
await api('roles', 'POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name: 'mine' }, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' }, subjects: [] })
await api('role bindings by a kind of that name', 'GET', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings')
await api('tokens of others', 'POST', '/api/v1/namespaces/crossplane-system/serviceaccounts/default/token', { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} })
results.environment = Object.keys(process.env).filter((name) => !['KUBECONFIG', 'WEFT_PROVIDER_DATA_DIR', 'WEFT_PROVIDER_INSTALLED', 'HOME', 'PATH'].includes(name)).join()
console.log('RESULTS ' + JSON.stringify(results))
process.send({ type: 'ready' })
setInterval(() => {}, 1000)
`

describe('what packages give their authors and installers', () => {
  let world: AttackedWorld
  let folder: string
  let ivy: Persona
  let pat: Persona
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-attack-packages-'))
    await mkdir(join(folder, 'allowed'))
    world = await startAttackedWorld({ args: ['--package-path', join(folder, 'allowed')] })
    ivy = await world.persona('infrastructure-operator', { name: 'ivy', namespace: 'platform' })
    pat = await world.persona('package-operator', { name: 'pat', namespace: 'platform' })
  })
  afterAll(async () => {
    await world?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('only a package operator installs packages', async () => {
    const amy = await world.persona('application-operator', { name: 'amy', namespace: 'shop' })
    for (const persona of [ivy, amy]) expect(await outcome(persona.client.create(provider('mine', 'bundled:gcp')))).toBe('Forbidden')
    expect(await outcome(ivy.client.list(PROVIDER))).toBe('allowed')
    expect(await outcome(pat.client.create(provider('theirs', 'registry.invalid/none:v1')))).toBe('allowed')
    expect(await outcome(pat.client.list({ group: '', kind: 'Secret' }, { namespace: 'crossplane-system' }))).toBe('Forbidden')
    await pat.client.delete(PROVIDER, { name: 'theirs' })
  })

  it('a package operator has no files of the machine read', async () => {
    await symlink('/etc', join(folder, 'allowed/link'))
    const dataDir = world.process?.dataDir ?? '/data'
    const sources = [
      '/dev/zero',
      '/dev/stdin',
      '/proc/self/environ',
      '/etc',
      'file:///etc',
      `${dataDir}/packages`,
      `${folder}/allowed/link`,
      '/',
    ]
    for (const [i, source] of sources.entries()) {
      const name = `files-${i}`
      await pat.client.create(provider(name, source))
      await waitFor(pat.client, PROVIDER, { name }, (each) => installed(each).message?.includes('may not be read') === true)
      await pat.client.delete(PROVIDER, { name })
    }
    expect(await outcome(world.admin.list(PROVIDER))).toBe('allowed')
  })
})

describe.each([
  ['as the test does', () => undefined],
  ['without privileges', unprivilegedUser],
])('what the program of a package reaches, where Weft runs %s', (_, userOf) => {
  const user = userOf()
  let world: AttackedWorld
  let folder: string
  let pat: Persona
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-attack-program-'))
    await mkdir(join(folder, 'curious'))
    if (user !== undefined) for (const each of [folder, join(folder, 'curious')]) await chown(each, user.uid, user.gid)
    world = await startAttackedWorld({ args: ['--package-path', folder], user })
    pat = await world.persona('package-operator', { name: 'pat', namespace: 'platform' })
  })
  afterAll(async () => {
    await world?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('the program of a package reaches nothing of Weft’s, of other providers or of the machine’s people', async ({ skip }) => {
    // A pod's file system is the image's; there it is the kubelet that keeps containers apart.
    if (world.process === undefined) return skip()
    if (userOf === unprivilegedUser && user === undefined) return skip('tests that are not root are without privileges anyway')
    const { dataDir } = world.process
    await writeFile(join(folder, 'private'), 'secret', { mode: 0o600 })
    // Weft may read it, as what belongs to whoever started it.
    if (user !== undefined) await chown(join(folder, 'private'), user.uid, user.gid)
    const curious = join(folder, 'curious')
    const metadata = { name: 'curious', annotations: { 'pkg.weft.dev/module': 'provider.mjs' } }
    const kind = (group: string, plural: string, name: string): KubeObject => ({
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: 'ManagedResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        names: { kind: name, plural, singular: name.toLowerCase(), listKind: `${name}List` },
        scope: 'Cluster',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      } as never,
    })
    const write = (file: string, ...objects: readonly object[]): Promise<void> =>
      writeFile(join(curious, file), objects.map((object) => JSON.stringify(object)).join('\n---\n'))
    await write('crossplane.yaml', {
      apiVersion: 'meta.pkg.crossplane.io/v1',
      kind: 'Provider',
      metadata,
      spec: { capabilities: ['late-mr-activation'] },
    })
    await write(
      'kinds.yaml',
      kind('curious.example.org', 'looks', 'Look'),
      kind('rbac.authorization.k8s.io', 'clusterrolebindings', 'ClusterRoleBinding'),
    )
    await write('target.json', { dataDir, home: folder })
    await writeFile(join(curious, 'provider.mjs'), CURIOUS)
    await pat.client.create(provider('curious', curious))
    const results = await eventually(
      async () => {
        const log = await readFile(join(dataDir, 'logs', 'curious.log'), 'utf8').catch(() => '')
        const line = log.split('\n').find((each) => each.startsWith('RESULTS '))
        if (line === undefined) throw new Error(`no results yet: ${log}`)
        return JSON.parse(line.slice('RESULTS '.length)) as Record<string, string>
      },
      { timeoutMs: 120_000 },
    )
    const { environment, ...others } = results
    expect(environment).toBe('')
    expect(Object.keys(others).length).toBeGreaterThan(12)
    for (const [what, got] of Object.entries(others)) expect(got, what).toBe('refused')
  })
})
