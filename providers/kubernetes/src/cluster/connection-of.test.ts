import type { Credentials } from '@weft/provider-sdk'
import { describe, expect, it } from 'vitest'
import { connectionOf, mustBeUsable } from './connection-of.ts'

const config = (spec: object = {}): Credentials['config'] => ({
  apiVersion: 'x/v1',
  kind: 'ProviderConfig',
  metadata: { name: 'prod' },
  spec,
})
const kubeconfig = (user: string, cluster = 'server: "https://host:6443"'): string =>
  `current-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {${cluster}}}]\nusers: [{name: u, user: ${user}}]`
const bytes = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text)]))
const credentials = (text: string): Credentials => ({ config: config(), source: 'Secret', secret: {}, value: Buffer.from(text) })
const details = (texts: Readonly<Record<string, string>>): Credentials => ({
  config: config(),
  source: 'Secret',
  secret: bytes(texts),
  value: undefined,
})

describe('connectionOf', () => {
  it('reads a kubeconfig', async () => {
    expect(await connectionOf(credentials(kubeconfig('{token: t}')))).toMatchObject({ server: 'https://host:6443', token: 't' })
  })

  it('reads the connection secret of a cluster: its kubeconfig, or else its parts', async () => {
    expect(await connectionOf(details({ kubeconfig: kubeconfig('{token: k}'), endpoint: 'e' }))).toMatchObject({ token: 'k' })
    expect(await connectionOf(details({ endpoint: '10.0.0.1', clusterCA: 'CA', clientCert: 'C', clientKey: 'K' }))).toMatchObject({
      server: 'https://10.0.0.1',
      ca: 'CA',
      cert: 'C',
      key: 'K',
    })
    await expect(connectionOf(details({ password: 'p' }))).rejects.toMatchObject({ code: 'KeyNotFound' })
  })

  it.each([
    ['a program', kubeconfig('{exec: {command: id}}'), /run a program.*a token/],
    ['a file', kubeconfig('{tokenFile: /etc/passwd}'), /names a file/],
    ['credentials without encryption', kubeconfig('{token: t}', 'server: "http://host"'), /unencrypted/],
    ['another protocol', kubeconfig('{}', 'server: "file:///etc/passwd"'), /not an address/],
    ['no address', kubeconfig('{}', 'server: "https://"'), /not an address/],
    ['a proxy of another sort', kubeconfig('{}', 'server: "https://h", proxy-url: "socks5://p"'), /proxy-url/],
    ['a token that is no text', kubeconfig('{token: {a: b}}'), /"token" must be text/],
    ['half a certificate', kubeconfig('{client-certificate-data: Qw==}'), /needs its key/],
    ['no YAML', 'a: [', /not YAML/],
    ['something else', '- 1', /must be a mapping/],
    ['contexts that are none', 'current-context: c\ncontexts: [null]', /kubeconfig/],
  ])('refuses %s, and names the configuration', async (_reason, text, message) => {
    const error = await connectionOf(credentials(text)).catch((thrown: unknown) => thrown as Error)
    expect(error).toMatchObject({ name: 'CredentialsError', message: expect.stringMatching(/^ProviderConfig prod: /) as string })
    expect((error as Error).message).toMatch(message)
  })

  it.each([
    ['the metadata of a cloud', 'server: "https://169.254.169.254"', undefined, /link-local/],
    ['a proxy to it', 'server: "https://h", proxy-url: "http://169.254.169.254:80"', undefined, /link-local/],
    ['this machine, for a namespace', 'server: "https://127.0.0.1:6443"', 'tenant', /whole control plane/],
    ['a proxy, for a namespace', 'server: "https://h", proxy-url: "http://p"', 'tenant', /proxy-url/],
  ])('does not connect to %s', async (_where, cluster, namespace, message) => {
    const { metadata, ...rest } = config()
    const named = {
      ...credentials(kubeconfig('{token: t}', cluster)),
      config: { ...rest, metadata: { ...metadata, ...(namespace && { namespace }) } },
    }
    await expect(connectionOf(named as Credentials)).rejects.toThrow(message)
  })

  it('never shows a credential', async () => {
    for (const text of [kubeconfig('{token: {hidden-token: 1}}'), `${kubeconfig('{token: hidden-token}')}\n  x: [`, 'hidden-token: ['])
      await expect(connectionOf(credentials(text))).rejects.not.toThrow(/hidden-token/)
  })
})

describe('mustBeUsable', () => {
  it.each([
    ['Environment', {}, /Environment is not supported/],
    ['Filesystem', {}, /Filesystem is not supported/],
    ['None', {}, /None is not supported/],
    ['Secret', { identity: { type: 'GoogleApplicationCredentials' } }, /identity is not supported/],
  ])('refuses %s %j in words', (source, spec, message) => {
    expect(() => mustBeUsable({ ...details({}), config: config(spec), source })).toThrow(message)
  })
})
