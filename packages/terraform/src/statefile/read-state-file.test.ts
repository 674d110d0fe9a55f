import { describe, expect, test } from 'vitest'
import { readStateFile } from './read-state-file.ts'
import { resourceNames } from './resource-names.ts'
import { sharedIds } from './shared-ids.ts'

const managed = {
  mode: 'managed',
  type: 'aws_vpc',
  name: 'main',
  provider: 'module.x.provider["registry.terraform.io/hashicorp/aws"].west',
}

describe('a state file', () => {
  test('keeps every digit, the private bytes, the identity and which provider it was', () => {
    const text = JSON.stringify({
      version: 4,
      lineage: 'l',
      resources: [
        {
          ...managed,
          module: 'module.a["b.c"].module.d[2]',
          instances: [
            {
              index_key: 1,
              schema_version: 3,
              attributes: { id: 'x' },
              private: Buffer.from('bytes').toString('base64'),
              identity: { id: 'x' },
              identity_schema_version: 2,
              status: 'tainted',
            },
          ],
        },
      ],
    }).replace('"id":"x"', '"id":"x","big":9007199254740993,"ratio":1.10')
    const [only] = readStateFile(text).resources
    expect(only).toMatchObject({
      address: 'module.a["b.c"].module.d[2].aws_vpc.main[1]',
      words: ['a', 'b.c', 'd', '2', 'main', '1'],
      provider: 'registry.terraform.io/hashicorp/aws',
      alias: 'west',
      schemaVersion: 3,
      identity: { version: 2, json: '{"id":"x"}' },
      tainted: true,
    })
    expect(only?.json).toContain('9007199254740993')
    expect(Buffer.from(only?.private ?? []).toString()).toBe('bytes')
  })

  test('says what is left out', () => {
    const { resources, left } = readStateFile(
      JSON.stringify({
        version: 4,
        resources: [
          { ...managed, mode: 'data', instances: [{ attributes: {} }] },
          { ...managed, instances: [{ deposed: '0badf00d', attributes: {} }, { attributes_flat: {} }] },
        ],
      }),
    )
    expect(resources).toEqual([])
    expect(left).toEqual([
      expect.stringContaining('data.aws_vpc.main is a data source'),
      expect.stringContaining('deposed'),
      expect.stringContaining('before 0.12'),
    ])
  })

  test.each([
    ['no JSON', '{', /not JSON/],
    ['a list', '[]', /must be an object/],
    ['something else', '{"kind":"List"}', /neither a terraform.tfstate nor/],
    ['an old version', '{"version":3}', /version 3/],
    ['an encrypted one', '{"version":4,"encrypted_data":"x"}', /encrypted/],
  ])('refuses %s', (_reason, text, message) => {
    expect(() => readStateFile(text)).toThrow(message)
  })
})

describe('names of objects', () => {
  const name = (words: string[], address = words.join('.')) => ({ address, words })

  test('are legal, the same each time, and never alike', () => {
    const resources = [
      name(['a_b']),
      name(['a-b']),
      name(['Größe', '0']),
      name(['…']),
      name(['x'.repeat(80)]),
      name(['main'], 'a'),
      name(['main', 'eu/west 1'], 'b'),
    ]
    const names = resourceNames(resources)
    expect([...names.values()]).toEqual([...new Set(names.values())])
    for (const each of names.values()) expect(each).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/)
    expect(names.get('a')).toBe('main')
    expect(names.get('b')).toBe('main-eu-west-1')
    expect(names.get('a_b')).toMatch(/^a-b-[0-9a-f]{8}$/)
    expect(resourceNames(resources.toReversed()).get('a_b')).toBe(names.get('a_b'))
    expect(resourceNames([name(['main'], 'a')], 'Prod').get('a')).toBe('prod-main')
  })
})

test('ids that several resources of one type and provider share identify none of them', () => {
  const of = (name: string, attributes: object, more: object = {}): object => ({
    ...managed,
    type: 'random_password',
    name,
    ...more,
    instances: [{ attributes }],
  })
  const { resources } = readStateFile(
    JSON.stringify({
      version: 4,
      resources: [
        of('a', { id: 'none' }),
        of('b', { id: 'none' }),
        of('other_type', { id: 'none' }, { type: 'random_shuffle' }),
        of('other_provider', { id: 'none' }, { provider: 'provider["registry.terraform.io/hashicorp/aws"].east' }),
        of('own', { id: 'x' }),
        of('nameless', {}),
        of('nameless_too', { id: null }),
        of('number', { id: 7 }),
        of('text', { id: '7' }),
      ],
    }),
  )
  expect([...sharedIds(resources)]).toEqual(['random_password.a', 'random_password.b', 'random_password.number', 'random_password.text'])
})
