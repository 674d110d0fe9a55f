import { describe, expect, it } from 'vitest'
import { parseTemplateSource } from '../template/adapters.ts'
import { AuthoringError } from './authoring-error.ts'
import { defineComposition } from './define-composition.ts'
import { at, each } from './fields.ts'
import { combine, from } from './flow.ts'
import { type Kind, type Metadata, untyped } from './kind.ts'
import { alwaysReady, fieldValue, fixedValue, readyOn, readyWhen, resource, secretKey } from './resource.ts'

interface Database {
  readonly apiVersion: 'example.org/v1alpha1'
  readonly kind: 'Database'
  readonly metadata: Metadata
  readonly spec: {
    readonly region?: 'us' | 'eu'
    readonly storageGB?: number
    readonly encrypted?: boolean
    readonly zones?: readonly string[]
  }
  readonly status?: { readonly address?: string }
}
const Database: Kind<Database, 'username' | 'endpoint'> = {
  apiVersion: 'example.org/v1alpha1',
  kind: 'Database',
  connectionDetails: ['username', 'endpoint'],
}

interface Server {
  readonly apiVersion: 'cloud.example.org/v1'
  readonly kind: 'Server'
  readonly metadata: Metadata
  readonly spec: {
    readonly forProvider: {
      readonly location: 'West US' | 'West Europe'
      readonly storageMB?: number
      readonly label?: string
      readonly rules?: readonly { readonly port: number }[]
      readonly [other: string]: unknown
    }
  }
  readonly status?: { readonly fqdn?: string; readonly ready?: boolean }
}
const Server: Kind<Server, 'user' | 'host'> = { apiVersion: 'cloud.example.org/v1', kind: 'Server', connectionDetails: ['user', 'host'] }

const LOCATION = { us: 'West US', eu: 'West Europe' } as const
const base = { spec: { forProvider: { location: 'West US' } } } as const
const details = { username: secretKey('user'), endpoint: secretKey('host') }

describe('a composition in TypeScript', () => {
  it('C1, C5, C6, C7: is an ordinary Composition', () => {
    const composition = defineComposition(
      Database,
      { name: 'cloud', labels: { provider: 'cloud' }, secretNamespace: 'secrets' },
      (database) => [
        resource(Server, { metadata: { labels: { tier: 'db' } }, spec: { forProvider: { location: 'West US' } } }, (server) => ({
          patches: [
            from(database.spec.region).map(LOCATION).to(server.spec.forProvider.location),
            from(database.spec.storageGB).multiply(1024).clampMax(4096).to(server.spec.forProvider.storageMB),
            from(database.metadata.uid).format('%s-server').required().to(server.metadata.annotations['crossplane.io/external-name']),
            from(database.spec.zones).join(',').to(at(server.spec.forProvider, 'zones')),
            from(database.spec.storageGB).to(each(server.spec.forProvider.rules).port),
            combine('%s-%d', database.spec.region, database.spec.storageGB).to(server.spec.forProvider.label),
            from(server.status.fqdn).to(database.status.address),
          ],
          connectionDetails: { username: secretKey('user'), endpoint: fieldValue(server.status.fqdn) },
          readinessChecks: [readyWhen(server.status.ready, true), readyOn('Synced')],
        })),
        resource(untyped('v1', 'ConfigMap'), { data: { a: 'b' } }, () => ({ readinessChecks: [alwaysReady] })),
      ],
    )
    expect(composition).toEqual({
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: 'Composition',
      metadata: { name: 'cloud', labels: { provider: 'cloud' } },
      spec: {
        from: { apiVersion: 'example.org/v1alpha1', kind: 'Database' },
        writeConnectionSecretsToNamespace: 'secrets',
        to: [
          {
            base: {
              apiVersion: 'cloud.example.org/v1',
              kind: 'Server',
              metadata: { labels: { tier: 'db' } },
              spec: { forProvider: { location: 'West US' } },
            },
            patches: [
              {
                fromFieldPath: 'spec.region',
                toFieldPath: 'spec.forProvider.location',
                transforms: [{ type: 'map', map: LOCATION }],
              },
              {
                fromFieldPath: 'spec.storageGB',
                toFieldPath: 'spec.forProvider.storageMB',
                transforms: [
                  { type: 'math', math: { multiply: 1024 } },
                  { type: 'math', math: { type: 'ClampMax', clampMax: 4096 } },
                ],
              },
              {
                fromFieldPath: 'metadata.uid',
                toFieldPath: 'metadata.annotations[crossplane.io/external-name]',
                transforms: [{ type: 'string', string: { fmt: '%s-server' } }],
                policy: { fromFieldPath: 'Required' },
              },
              {
                fromFieldPath: 'spec.zones',
                toFieldPath: 'spec.forProvider.zones',
                transforms: [{ type: 'string', string: { type: 'Join', join: { separator: ',' } } }],
              },
              { fromFieldPath: 'spec.storageGB', toFieldPath: 'spec.forProvider.rules[*].port' },
              {
                type: 'CombineFromComposite',
                combine: {
                  strategy: 'string',
                  variables: [{ fromFieldPath: 'spec.region' }, { fromFieldPath: 'spec.storageGB' }],
                  string: { fmt: '%s-%d' },
                },
                toFieldPath: 'spec.forProvider.label',
              },
              { type: 'ToCompositeFieldPath', fromFieldPath: 'status.fqdn', toFieldPath: 'status.address' },
            ],
            connectionDetails: [
              { name: 'username', fromConnectionSecretKey: 'user' },
              { name: 'endpoint', type: 'FromFieldPath', fromFieldPath: 'status.fqdn' },
            ],
            readinessChecks: [
              { type: 'MatchTrue', fieldPath: 'status.ready' },
              { type: 'MatchCondition', matchCondition: { type: 'Synced', status: 'True' } },
            ],
          },
          { base: { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } }, readinessChecks: [{ type: 'None' }] },
        ],
      },
    })
  })

  it('writes every transform, merge and detail in a form that the engine reads', () => {
    const composition = defineComposition(Database, { name: 'all' }, (database) => [
      resource(Server, base, (server) => ({
        patches: [
          from(database.spec.region).text('ToUpper').to(server.spec.forProvider.label),
          from(database.spec.region).trimPrefix('u').trimSuffix('s').replace('a', 'b').to(server.spec.forProvider.label),
          from(database.metadata.name).capture('^(a+)', 1).to(server.spec.forProvider.label),
          from(database.metadata.name)
            .match(
              [
                { literal: 'big', result: 100 },
                { regexp: '^small', result: 1 },
              ],
              10,
            )
            .to(server.spec.forProvider.storageMB),
          from(database.metadata.name).convert('int64', 'quantity').clampMin(1).to(server.spec.forProvider.storageMB),
          from(database.spec.encrypted).map({ true: 'yes', false: 'no' }).to(server.spec.forProvider.label),
          from(at(database.spec, 'later', 0))
            .as<string>()
            .to(server.spec.forProvider.label),
          from(database.metadata.labels).to(server.metadata.labels, 'MergeObjects'),
          combine('%s', server.status.fqdn).to(database.status.address),
        ],
        connectionDetails: { username: fixedValue('admin'), endpoint: secretKey('host') },
        readinessChecks: [readyWhen(server.status.fqdn), readyWhen(server.status.fqdn, 'x'), readyWhen(at(server, 'status', 'n'), 3)],
      })),
    ])
    const source = parseTemplateSource(composition)
    expect(source).toMatchObject({ ok: true })
    expect(source.ok && source.value.templates[0]?.patches).toHaveLength(9)
  })

  const stolen: unknown[] = []
  const wrong: readonly { reason: string; make: () => unknown; message: RegExp }[] = [
    {
      reason: 'C16: a promised detail is missing',
      make: () =>
        defineComposition(Database, { name: 'c' }, () => [
          resource(Server, base, () => ({ connectionDetails: { username: secretKey('user') } })),
        ]),
      message: /no template exposes the connection detail "endpoint"/,
    },
    {
      reason: 'C7, C16: a detail is provided twice',
      make: () =>
        defineComposition(Database, { name: 'c' }, () => [
          resource(Server, base, () => ({ connectionDetails: details })),
          resource(Server, base, () => ({ connectionDetails: { username: fixedValue('me') } })),
        ]),
      message: /spec\.to\[1\]\.connectionDetails\[0\]\.name: Duplicate/,
    },
    { reason: 'nothing is composed', make: () => defineComposition(Database, { name: 'c' }, () => []), message: /at least one resource/ },
    {
      reason: 'a transform that the engine refuses',
      make: () =>
        defineComposition(Database, { name: 'c' }, (database) => [
          resource(Server, base, (server) => ({
            patches: [from(database.metadata.name).capture('(', 1).to(server.spec.forProvider.label)],
            connectionDetails: details,
          })),
        ]),
      message: /spec\.to\[0\]\.patches\[0\]\.transforms\[0\]/,
    },
    {
      reason: 'a field printed into a text',
      make: () =>
        defineComposition(Database, { name: 'c' }, (database) => [resource(untyped('v1', 'X'), { a: String(database.spec.region) })]),
      message: /Database\.spec\.region is a field, not a value/,
    },
    {
      reason: 'a field in a base',
      make: () =>
        defineComposition(Database, { name: 'c' }, (database) => [resource(untyped('v1', 'X'), { a: [{ b: database.spec.region }] })]),
      message: /X\.a\[0\]\.b is given the field spec\.region/,
    },
    {
      reason: 'a field that is assigned',
      make: () =>
        defineComposition(Database, { name: 'c' }, (database) => {
          ;(database.spec as { region: unknown }).region = 'us'
          return []
        }),
      message: /Database\.spec\.region cannot be assigned/,
    },
    {
      reason: 'a field of another resource',
      make: () =>
        defineComposition(Database, { name: 'c' }, (database) => [
          resource(Server, base, (server) => ({ patches: [], connectionDetails: (stolen.push(server), details) })),
          resource(Server, base, () => ({
            patches: [from(database.metadata.name).to((stolen[0] as { metadata: { name: never } }).metadata.name)],
          })),
        ]),
      message: /uses a field of another resource/,
    },
    {
      reason: 'a field of another composite',
      make: () =>
        defineComposition(Database, { name: 'outer' }, (outer) => [
          ...(defineComposition(Database, { name: 'inner' }, () => [
            resource(Server, base, (server) => ({
              patches: [from(outer.metadata.name).to(server.spec.forProvider.label)],
              connectionDetails: details,
            })),
          ]) && []),
        ]),
      message: /Composition inner uses fields of Database/,
    },
    { reason: 'a value where a field belongs', make: () => from('spec.region' as never), message: /from takes a field.*"spec\.region"/ },
    { reason: 'nothing to combine', make: () => combine('x'), message: /needs at least one field/ },
  ]
  it.each(wrong)('is refused: $reason', ({ make, message }) => {
    stolen.length = 0
    expect(make).toThrow(AuthoringError)
    stolen.length = 0
    expect(make).toThrow(message)
  })
})
