import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inClusterConfig } from './in-cluster.ts'
import { loadKubeconfig, parseKubeconfig } from './kubeconfig.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const config = (user: string, cluster = ''): string => `
apiVersion: v1
kind: Config
current-context: main
contexts:
- name: main
  context: {cluster: c, user: u, namespace: team}
clusters:
- name: c
  cluster:
    server: https://api.example.org:6443/prefix
    certificate-authority-data: ${base64('CA')}
    ${cluster}
users:
- name: u
  user:
    ${user}
`
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'weft-kubeconfig-'))
  await mkdir(join(directory, 'keys'))
  for (const [name, text] of Object.entries({
    'keys/cert.pem': 'CERT',
    'keys/key.pem': 'KEY',
    token: 'T1\n',
    'ca.crt': 'POD-CA',
    namespace: 'pod-ns\n',
  }))
    await writeFile(join(directory, name), text)
})

afterAll(() => rm(directory, { recursive: true }))

describe('kubeconfig', () => {
  it.each([
    {
      reason: 'certificate and key in the file',
      user: `{client-certificate-data: ${base64('C')}, client-key-data: ${base64('K')}}`,
      expected: { cert: 'C', key: 'K' },
    },
    {
      reason: 'certificate and key beside the file',
      user: '{client-certificate: keys/cert.pem, client-key: keys/key.pem}',
      expected: { cert: 'CERT', key: 'KEY' },
    },
    { reason: 'a token', user: '{token: abc}', expected: { token: 'abc' } },
    { reason: 'a token file, relative', user: '{tokenFile: token}', expected: { tokenFile: 'DIR/token' } },
    { reason: 'a name and a password', user: '{username: a, password: b}', expected: { username: 'a', password: 'b' } },
    {
      reason: 'impersonation',
      user: '{token: t, as: jane, as-groups: [devs], as-user-extra: {team: [a]}}',
      expected: { impersonate: { username: 'jane', groups: ['devs'], extra: { team: ['a'] } } },
    },
    {
      reason: 'an exec plug-in',
      user: '{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login, args: [x], env: [{name: A, value: b}], interactiveMode: Never, provideClusterInfo: true}}',
      expected: {
        exec: {
          command: './login',
          args: ['x'],
          env: [{ name: 'A', value: 'b' }],
          directory: 'DIR',
          cluster: { server: 'https://api.example.org:6443/prefix' },
        },
      },
    },
  ])('reads $reason', async ({ user, expected }) => {
    const parsed = await parseKubeconfig(config(user), { directory })
    const wanted = JSON.parse(JSON.stringify(expected).replaceAll('DIR', directory)) as object
    expect(parsed).toMatchObject({ server: 'https://api.example.org:6443/prefix', ca: 'CA', namespace: 'team', ...wanted })
  })

  it('reads how to verify and to reach the server', async () => {
    const parsed = await parseKubeconfig(
      config('{token: t}', 'tls-server-name: other\n    insecure-skip-tls-verify: true\n    proxy-url: http://proxy:1'),
    )
    expect(parsed).toMatchObject({ tlsServerName: 'other', insecureSkipTlsVerify: true, proxyUrl: 'http://proxy:1' })
  })

  it.each([
    { reason: 'not YAML', text: 'a: [', code: 'Malformed' },
    { reason: 'not a mapping', text: '- a', code: 'Malformed' },
    { reason: 'empty', text: '', code: 'NoContext' },
    {
      reason: 'a context that is not there',
      text: config('{token: t}').replace('current-context: main', 'current-context: other'),
      code: 'NoContext',
    },
    { reason: 'a cluster that is not there', text: config('{token: t}').replace('cluster: c,', 'cluster: d,'), code: 'NoCluster' },
    { reason: 'a user that is not there', text: config('{token: t}').replace('user: u,', 'user: v,'), code: 'NoUser' },
    { reason: 'an auth-provider', text: config('{auth-provider: {name: gcp}}'), code: 'Unsupported' },
    { reason: 'a key file that is not there', text: config('{client-certificate: nowhere, client-key: nowhere}'), code: 'FileUnreadable' },
  ])('refuses $reason', async ({ text, code }) => {
    await expect(parseKubeconfig(text)).rejects.toMatchObject({ code })
  })

  it('never shows a credential in an error', async () => {
    const error = await parseKubeconfig(`${config('{token: very-secret-token}')}\n  broken: [`).catch((e: unknown) => e as Error)
    expect(`${(error as Error).message} ${(error as Error).stack ?? ''}`).not.toContain('very-secret-token')
  })

  it.each([
    { reason: 'a program', user: '{exec: {apiVersion: client.authentication.k8s.io/v1, command: /bin/sh}}', instead: /a token, or/ },
    { reason: 'a token file', user: '{tokenFile: /etc/hostname}', instead: /into token$/ },
    { reason: 'a certificate file', user: '{client-certificate: /a, client-key-data: Sw==}', instead: /client-certificate-data$/ },
    { reason: 'a key file', user: '{client-certificate-data: Qw==, client-key: /a}', instead: /client-key-data$/ },
    { reason: 'an authority file', user: '{token: t}', cluster: 'certificate-authority: /a', instead: /certificate-authority-data$/ },
    { reason: 'an auth-provider', user: '{auth-provider: {name: gcp}}', instead: /a token, or/ },
    {
      reason: 'a user that no context uses',
      user: '{token: t}\n- {name: other, user: {exec: {command: sh}}}',
      instead: /"other".*a token, or/,
    },
  ])('refuses $reason in what somebody else wrote, and says what to write instead', async ({ user, cluster, instead }) => {
    await expect(parseKubeconfig(config(user, cluster), { confined: true })).rejects.toMatchObject({
      code: 'Confined',
      message: expect.stringMatching(instead) as string,
    })
  })

  it.each(['clusters: {}', 'users: 3', 'users: [3]'])("says of somebody else's %s that it is no kubeconfig", async (text) => {
    await expect(parseKubeconfig(text, { confined: true })).rejects.toMatchObject({ code: 'Malformed' })
  })

  it('reads what is complete in itself when confined', async () => {
    expect(await parseKubeconfig(config('{token: abc}'), { confined: true })).toMatchObject({ token: 'abc', ca: 'CA' })
  })

  it('merges the files of KUBECONFIG: the first that has an entry wins, missing ones are skipped', async () => {
    const one = join(directory, 'one')
    const two = join(directory, 'two')
    await writeFile(one, 'contexts:\n- name: main\n  context: {cluster: c, user: u}\nclusters: null\n')
    await writeFile(two, config('{token: two}'))
    const env = { KUBECONFIG: [join(directory, 'missing'), one, two].join(':') }
    expect(await loadKubeconfig({ env })).toMatchObject({ token: 'two', namespace: 'default' })
    expect(await loadKubeconfig({ env, context: 'main' })).toMatchObject({ token: 'two' })
    await expect(loadKubeconfig({ paths: [join(directory, 'missing')] })).rejects.toMatchObject({ code: 'Unreadable' })
  })
})

describe('in a pod', () => {
  it('uses the mounted service account', async () => {
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }
    expect(await inClusterConfig(env, directory)).toEqual({
      server: 'https://[fd00::1]:443',
      ca: 'POD-CA',
      tokenFile: join(directory, 'token'),
      namespace: 'pod-ns',
    })
  })

  it('says when it is not in one', async () => {
    await expect(inClusterConfig({}, directory)).rejects.toMatchObject({ code: 'NotInCluster' })
  })
})
