import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAddress } from '../sources/address.ts'
import { groupOf, kindNames } from './kind-names.ts'

describe('names of kinds (T128)', () => {
  it.each([
    ['hashicorp/aws', 'aws.tf.weft.dev'],
    ['registry.terraform.io/hashicorp/aws', 'aws.tf.weft.dev'],
    ['gavinbunney/kubectl', 'kubectl.gavinbunney.tf.weft.dev'],
    ['example.org:8443/team/my_dns', 'my-dns.team.example.org.8443.tf.weft.dev'],
  ])('the group of %s', (address, group) => expect(groupOf(parseAddress(address))).toBe(group))

  it.each([
    ['aws', 'aws_rds_cluster_parameter_group', 'RdsClusterParameterGroup', 'rdsclusterparametergroups'],
    ['aws', 'aws_iam_policy', 'IamPolicy', 'iampolicies'],
    ['google-beta', 'google_compute_address', 'ComputeAddress', 'computeaddresses'],
    ['http', 'http', 'Http', 'https'],
    ['acme', 'other_thing', 'OtherThing', 'otherthings'],
    ['auth', 'auth_2fa', 'X2fa', 'x2fas'],
  ])('of provider %s, type %s', (type, resource, kind, plural) => {
    expect(kindNames({ type }, { resources: [resource], dataSources: [] }).resource.get(resource)).toMatchObject({ kind, plural })
  })

  it('a data source is called so', () => {
    const names = kindNames({ type: 'aws' }, { resources: ['aws_vpc'], dataSources: ['aws_vpc'] })
    expect(names.resource.get('aws_vpc')?.kind).toBe('Vpc')
    expect(names.data.get('aws_vpc')).toMatchObject({ kind: 'VpcDataSource', plural: 'vpcdatasources' })
  })

  it('no list is called like a kind', () => {
    const { resource } = kindNames({ type: 'x' }, { resources: ['x_ip', 'x_ip_list'], dataSources: [] })
    expect(resource.get('x_ip')?.listKind).not.toBe(resource.get('x_ip_list')?.kind)
  })

  it('of a kind that just fits, the list fits, too', () => {
    const [type, kind] = [`x_${'a'.repeat(61)}`, `A${'a'.repeat(60)}`]
    const { resource } = kindNames({ type: 'x' }, { resources: [type], dataSources: [] })
    expect(resource.get(type)).toMatchObject({ kind, listKind: expect.stringMatching(/^A[a-z0-9]{62}$/) as string })
  })

  it('never two alike, never too long, the same in any order', () => {
    const word = fc.constantFrom('a', 'b1', '1', 'provider_config', 'list', 's', 'vpc', 'data_source', 'x'.repeat(40), '_', 'A')
    const type = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `p_${words.join('_')}`)
    fc.assert(
      fc.property(fc.uniqueArray(type, { maxLength: 20 }), fc.uniqueArray(type, { maxLength: 20 }), (resources, dataSources) => {
        const { resource, data } = kindNames({ type: 'p' }, { resources, dataSources })
        const all = [...resource.values(), ...data.values()]
        const distinct = (texts: readonly string[]): void => expect(new Set(texts).size).toBe(texts.length)
        distinct([...all.flatMap(({ kind, listKind }) => [kind, listKind]), 'ProviderConfig', 'ProviderConfigList'])
        distinct([...all.flatMap(({ plural, singular }) => [...new Set([plural, singular])]), 'providerconfigs'])
        for (const { kind, plural, listKind } of all) {
          expect(kind).toMatch(/^[A-Z][A-Za-z0-9]{0,62}$/)
          expect(listKind).toMatch(/^[A-Z][A-Za-z0-9]{0,62}$/)
          expect(plural).toMatch(/^[a-z][a-z0-9]{0,62}$/)
        }
        const turned = kindNames({ type: 'p' }, { resources: resources.toReversed(), dataSources: dataSources.toReversed() })
        expect([...turned.resource].toSorted()).toEqual([...resource].toSorted())
      }),
    )
  })
})
