import { PackageError } from '@weft/xpkg'
import { describe, expect, it } from 'vitest'
import { formatProviderSource, parseProviderSource } from './address.ts'

const of = (host: string, namespace: string, type: string) => ({ host, namespace, type })

describe('where a provider comes from (T110)', () => {
  it.each([
    ['time', { address: of('registry.opentofu.org', 'hashicorp', 'time') }],
    ['hashicorp/aws@6', { address: of('registry.opentofu.org', 'hashicorp', 'aws'), version: '6' }],
    ['Example.org:8443/team/dns@~> 1.2', { address: of('example.org:8443', 'team', 'dns'), version: '~> 1.2' }],
    ['hashicorp/time@1.0.0?from=/srv/p', { address: of('registry.opentofu.org', 'hashicorp', 'time'), version: '1.0.0', path: '/srv/p' }],
    [
      './bin/terraform-provider-time_v1.0.0_x5',
      { address: of('terraform.local', 'local', 'time'), path: './bin/terraform-provider-time_v1.0.0_x5' },
    ],
    [
      '/srv/terraform-provider-google-beta',
      { address: of('terraform.local', 'local', 'google-beta'), path: '/srv/terraform-provider-google-beta' },
    ],
    ['file:///srv/terraform-provider-x.exe', { address: of('terraform.local', 'local', 'x'), path: '/srv/terraform-provider-x.exe' }],
  ])('%s', (text, expected) => {
    const source = parseProviderSource(text)
    expect(source).toEqual(expected)
    if (source.address.host !== 'terraform.local') expect(parseProviderSource(formatProviderSource(source))).toEqual(source)
  })

  it.each([
    '',
    'a/b/c/d',
    'a b/c',
    'hashicorp/aws@',
    '../../etc/passwd',
    '/srv/provider',
    'x/--a',
    'evil_host!/a/b',
    'time?from=',
    '%2e%2e/a/b',
    'bin/terraform-provider-time',
    'hashicorp/terraform-time',
  ])('is not %s', (text) => expect(() => parseProviderSource(text)).toThrow(PackageError))

  it('says what was meant where the name of a repository or a path was written', () => {
    expect(() => parseProviderSource('bin/terraform-provider-time')).toThrow(/write bin\/time\..* write \.\/bin\/terraform-provider-time/)
  })
})
