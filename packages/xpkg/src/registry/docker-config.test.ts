import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PackageError } from '../package-error.ts'
import { dockerCredentials, parseDockerConfig } from './docker-config.ts'

const HUB = 'https://index.docker.io/v1/'
const auth = (text: string): string => Buffer.from(text).toString('base64')
const from = (config: unknown, registry: string) => parseDockerConfig(JSON.stringify(config))(registry)

describe('a docker config.json', () => {
  it.each([
    [
      'user and password, together',
      { auths: { 'a.example.org': { auth: auth('me:pass:word') } } },
      'a.example.org',
      { username: 'me', password: 'pass:word' },
    ],
    [
      'user and password, apart',
      { auths: { 'a.example.org': { username: 'me', password: 'p' } } },
      'a.example.org',
      { username: 'me', password: 'p' },
    ],
    ['a kept token', { auths: { 'a.example.org': { auth: auth('x:y'), identitytoken: 't' } } }, 'a.example.org', { identityToken: 't' }],
    [
      'an address with scheme',
      { auths: { 'https://a.example.org': { auth: auth('me:p') } } },
      'a.example.org',
      { username: 'me', password: 'p' },
    ],
    ['a port', { auths: { 'a.example.org:5000': { auth: auth('me:p') } } }, 'a.example.org:5000', { username: 'me', password: 'p' }],
    ['another port', { auths: { 'a.example.org:5000': { auth: auth('me:p') } } }, 'a.example.org', undefined],
    ['Docker Hub', { auths: { [HUB]: { auth: auth('me:p') } } }, 'docker.io', { username: 'me', password: 'p' }],
    ['nothing', {}, 'a.example.org', undefined],
    ['an empty entry', { auths: { 'a.example.org': {} } }, 'a.example.org', undefined],
    ['helpers, which it may not run', { credHelpers: { 'a.example.org': 'evil' }, credsStore: 'evil' }, 'a.example.org', undefined],
  ])('with %s', async (_reason, config, registry, credentials) => {
    expect(await from(config, registry)).toEqual(credentials)
  })

  it('that is broken is refused, without quoting it', async () => {
    for (const text of ['{"auths": {"a": {"auth": "hunter2', '["hunter2"]']) {
      expect(() => parseDockerConfig(text)).toThrow(PackageError)
      expect(() => parseDockerConfig(text)).not.toThrow(/hunter2/)
    }
    const bad = from({ auths: { a: { auth: auth('hunter2') } } }, 'a')
    await expect(bad).rejects.toThrow(PackageError)
    await expect(bad).rejects.not.toThrow(/hunter2/)
  })
})

describe('credentials of whoever runs this', () => {
  let home: string
  const path = process.env['PATH']
  beforeEach(async () => void (home = await mkdtemp(join(tmpdir(), 'weft-docker-'))))
  afterEach(async () => {
    process.env['PATH'] = path
    await rm(home, { recursive: true, force: true })
  })
  const source = () => dockerCredentials({ DOCKER_CONFIG: home })
  const configure = (config: unknown): Promise<void> => writeFile(join(home, 'config.json'), JSON.stringify(config))

  async function helper(name: string, script: string): Promise<void> {
    const program = join(home, `docker-credential-${name}`)
    await writeFile(program, `#!/bin/sh\n${script}\n`)
    await chmod(program, 0o755)
    process.env['PATH'] = `${home}${delimiter}${path}`
  }

  it('are none without a file', async () => {
    expect(await source()('a.example.org')).toBeUndefined()
  })

  it('come from a helper program for the registry, or for all', async () => {
    await configure({ credHelpers: { 'a.example.org': 'test' }, credsStore: 'all' })
    await helper('test', 'read server; echo "{\\"Username\\":\\"$server\\",\\"Secret\\":\\"s\\"}"')
    await helper('all', 'echo \'{"Username":"<token>","Secret":"t"}\'')
    expect(await source()('a.example.org')).toEqual({ username: 'a.example.org', password: 's' })
    expect(await source()('b.example.org')).toEqual({ identityToken: 't' })
  })

  it('are none when the helper has none', async () => {
    await configure({ credsStore: 'test' })
    await helper('test', 'echo "credentials not found in native keychain"; exit 1')
    expect(await source()('a.example.org')).toBeUndefined()
  })

  it('are refused when the helper is missing, fails or has an odd name', async () => {
    await helper('test', 'echo hunter2 >&2; exit 3')
    for (const name of ['missing-helper', 'test', '../../bin/sh']) {
      await configure({ credHelpers: { 'a.example.org': name } })
      const answer = source()('a.example.org')
      await expect(answer).rejects.toThrow(PackageError)
      await expect(answer).rejects.not.toThrow(/hunter2/)
    }
  })
})
