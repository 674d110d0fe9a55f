import type { FieldError, KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { type BuiltinKind, findBuiltin } from './index.ts'

const kindOf = (group: string, kind: string): BuiltinKind => {
  const row = findBuiltin(group, kind)
  if (row === undefined) throw new Error(`no kind ${kind}`)
  return row
}
const texts = (errors: readonly FieldError[]): string[] => errors.map(({ path, message }) => `${path}: ${message}`)
const context = { now: Date.UTC(2026, 0, 2, 3, 4, 5), user: { username: 'ann', groups: ['dev'] } }
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const make = (row: BuiltinKind, fields: object, metadata: object = { name: 'a' }): KubeObject => ({
  apiVersion: row.group === '' ? 'v1' : `${row.group}/v1`,
  kind: row.kind,
  metadata,
  ...fields,
})
/** What a create makes of an object, and what is wrong with it. */
const create = (row: BuiltinKind, object: KubeObject): { object: KubeObject; errors: string[] } => {
  const prepared = row.strategy.prepareForCreate(row.strategy.default(object), context)
  return { object: prepared, errors: texts(row.strategy.validate(prepared)) }
}
const update = (row: BuiltinKind, next: KubeObject, old: KubeObject): { object: KubeObject; errors: string[] } => {
  const prepared = row.strategy.prepareForUpdate(row.strategy.default(next), old, context)
  return { object: prepared, errors: texts(row.strategy.validateUpdate(prepared, old)) }
}

describe('Secret', () => {
  const secret = kindOf('', 'Secret')

  it('merges stringData into data and is Opaque unless told otherwise', () => {
    const { object, errors } = create(
      secret,
      make(secret, { data: { a: base64('old'), b: base64('b') }, stringData: { a: 'new', ['__proto__']: 'x' } }),
    )
    expect(errors).toEqual([])
    expect(object).not.toHaveProperty('stringData')
    expect(object).toMatchObject({ type: 'Opaque', data: { a: base64('new'), b: base64('b') } })
    expect(Object.keys(object['data'] as object)).toContain('__proto__')
  })

  it.each([
    { reason: 'a key with a slash', fields: { data: { 'a/b': '' } }, error: /^data\[a\/b\]: Invalid value: "a\/b": a valid config key/ },
    { reason: 'a key that climbs', fields: { data: { '..': '' } }, error: /^data\[\.\.\]: Invalid value: "\.\.": must not be '\.\.'/ },
    {
      reason: 'more than 1 MiB',
      fields: { data: { a: base64('x'.repeat(1024 * 1024 + 1)) } },
      error: /^data: Too long: may not be more than 1048576 bytes$/,
    },
    {
      reason: 'a token without its account',
      fields: { type: 'kubernetes.io/service-account-token' },
      error: /^metadata\.annotations\[kubernetes\.io\/service-account\.name\]: Required value$/,
    },
    {
      reason: 'TLS without a key',
      fields: { type: 'kubernetes.io/tls', data: { 'tls.crt': '' } },
      error: /^data\[tls\.key\]: Required value$/,
    },
    {
      reason: 'an SSH key that is empty',
      fields: { type: 'kubernetes.io/ssh-auth', data: { 'ssh-privatekey': '' } },
      error: /^data\[ssh-privatekey\]: Required value$/,
    },
    {
      reason: 'no .dockerconfigjson',
      fields: { type: 'kubernetes.io/dockerconfigjson' },
      error: /^data\[\.dockerconfigjson\]: Required value$/,
    },
    {
      reason: 'a .dockercfg that is no JSON',
      fields: { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': base64('pa55') } },
      error: /^data\[\.dockercfg\]: Invalid value: "<secret contents redacted>": /,
    },
  ])('refuses $reason', ({ fields, error }) => {
    const { errors } = create(secret, make(secret, fields))
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatch(error)
    expect(errors[0]).not.toContain('pa55')
  })

  it('needs a user name or a password for basic auth, not both', () => {
    expect(create(secret, make(secret, { type: 'kubernetes.io/basic-auth' })).errors).toEqual([
      'data[username]: Required value',
      'data[password]: Required value',
    ])
    expect(create(secret, make(secret, { type: 'kubernetes.io/basic-auth', data: { password: '' } })).errors).toEqual([])
  })

  it('keeps its type, and refuses another', () => {
    const old = make(secret, { type: 'example.org/x' })
    expect(update(secret, make(secret, { type: 'Opaque' }), old).errors).toEqual(['type: Invalid value: "Opaque": field is immutable'])
    expect(secret.strategy.prepareForUpdate(make(secret, {}), old, context)).toMatchObject({ type: 'example.org/x' })
  })

  it('is frozen once immutable', () => {
    const old = make(secret, { type: 'Opaque', immutable: true, data: { a: base64('1') } })
    expect(update(secret, make(secret, { data: { a: base64('2') } }), old).errors).toEqual([
      'immutable: Forbidden: field is immutable when `immutable` is set',
      'data: Forbidden: field is immutable when `immutable` is set',
    ])
    expect(update(secret, make(secret, { stringData: { a: '1' }, immutable: true }), old).errors).toEqual([])
  })

  it('warns of TLS data that is no pair', () => {
    expect(secret.strategy.warnings(make(secret, { type: 'kubernetes.io/tls', data: { 'tls.crt': base64('x') } }))).toEqual([
      'tls: failed to find any PEM data in certificate input',
    ])
    expect(secret.strategy.warnings(make(secret, { type: 'Opaque' }))).toEqual([])
  })
})

describe('ConfigMap', () => {
  const configMap = kindOf('', 'ConfigMap')

  it.each([
    {
      reason: 'a key in both maps',
      fields: { data: { a: '' }, binaryData: { a: '' } },
      error: 'data[a]: Invalid value: "a": duplicate of key present in binaryData',
    },
    {
      reason: 'more than 1 MiB in both',
      fields: { data: { a: 'x'.repeat(1024 * 1024) }, binaryData: { b: base64('y') } },
      error: '[]: Too long: may not be more than 1048576 bytes',
    },
  ])('refuses $reason', ({ fields, error }) => {
    expect(create(configMap, make(configMap, fields)).errors).toEqual([error])
  })

  it('is frozen once immutable', () => {
    const old = make(configMap, { immutable: true, data: { a: '1' } })
    expect(update(configMap, make(configMap, { immutable: true, data: { a: '1' } }), old).errors).toEqual([])
    expect(update(configMap, make(configMap, { immutable: true, binaryData: { a: '' } }), old).errors).toEqual([
      'data: Forbidden: field is immutable when `immutable` is set',
      'binaryData: Forbidden: field is immutable when `immutable` is set',
    ])
  })
})

describe('Namespace', () => {
  const namespace = kindOf('', 'Namespace')
  const subresource = (name: string) => {
    const found = namespace.subresources.find((each) => each.name === name)
    if (found === undefined) throw new Error(name)
    return found.strategy
  }
  const old = make(namespace, { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } })

  it('starts active, with its finalizer and the label of its name', () => {
    const { object, errors } = create(namespace, make(namespace, { status: { phase: 'Terminating' } }, { name: 'a', labels: { b: 'c' } }))
    expect(errors).toEqual([])
    expect(object).toEqual({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'a', labels: { b: 'c', 'kubernetes.io/metadata.name': 'a' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    })
  })

  it('changes finalizers through finalize only, and status through status only', () => {
    const next = make(namespace, { spec: {}, status: { phase: 'Terminating' } })
    expect(update(namespace, next, old).object).toMatchObject({ spec: old['spec'] as object, status: { phase: 'Active' } })
    expect(subresource('finalize').prepareForUpdate(next, old, context)).toMatchObject({ spec: {}, status: { phase: 'Active' } })
    expect(subresource('status').prepareForUpdate(next, old, context)).toMatchObject({
      spec: old['spec'] as object,
      status: { phase: 'Terminating' },
    })
  })

  it('is Terminating exactly while it is deleted', () => {
    const validate = subresource('status').validateUpdate
    const deleted = { name: 'a', deletionTimestamp: '2026-01-01T00:00:00Z' }
    expect(validate(old, old)).toEqual([])
    expect(texts(validate(make(namespace, { status: { phase: 'Terminating' } }), old))).toEqual([
      'status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
    ])
    expect(validate(make(namespace, { status: { phase: 'Terminating' } }, deleted), old)).toEqual([])
  })

  it('refuses finalizers without a domain', () => {
    expect(create(namespace, make(namespace, { spec: { finalizers: ['mine'] } })).errors).toEqual([
      'spec.finalizers: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
    ])
  })

  it('has names of one label, and cannot be deleted as a collection', () => {
    expect(namespace.strategy.nameRule('a.b')).toHaveLength(1)
    expect(namespace.verbs).not.toContain('deletecollection')
  })
})

describe('ServiceAccount', () => {
  const account = kindOf('', 'ServiceAccount')

  it('keeps of its secrets the names', () => {
    expect(create(account, make(account, { secrets: [{ name: 's', namespace: 'x' }] })).object).toMatchObject({ secrets: [{ name: 's' }] })
  })

  it('takes token requests of ten minutes to 2^32 seconds', () => {
    const token = account.subresources[0]
    if (token === undefined) throw new Error('no token subresource')
    expect(token).toMatchObject({ name: 'token', verbs: ['create'], kind: { kind: 'TokenRequest' } })
    const request = (seconds?: number): KubeObject =>
      token.strategy.default(make(account, { spec: seconds === undefined ? {} : { expirationSeconds: seconds } }))
    expect(request()).toMatchObject({ spec: { expirationSeconds: 3600 } })
    expect(texts(token.strategy.validate(request(599)))).toEqual([
      'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    ])
    expect(token.strategy.validate(request(2 ** 32 + 1))).toHaveLength(1)
    expect(token.strategy.validate(request(600))).toEqual([])
  })
})

describe('Service', () => {
  const service = kindOf('', 'Service')

  it('fills in what kubectl shows', () => {
    expect(
      create(service, make(service, { spec: { ports: [{ port: 80 }] }, status: { loadBalancer: { ingress: [{}] } } })).object,
    ).toMatchObject({
      spec: {
        type: 'ClusterIP',
        sessionAffinity: 'None',
        internalTrafficPolicy: 'Cluster',
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      },
      status: {},
    })
  })
})

describe('ResourceQuota', () => {
  const quota = kindOf('', 'ResourceQuota')

  it.each([
    {
      reason: 'good limits',
      spec: { hard: { pods: '10', 'requests.cpu': '1500m', 'count/things.example.org': '3' }, scopes: ['Terminating'] },
      errors: [],
    },
    {
      reason: 'a negative limit',
      spec: { hard: { pods: '-1' } },
      errors: ['spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0'],
    },
    {
      reason: 'a fraction of a count',
      spec: { hard: { secrets: '500m' } },
      errors: ['spec.hard[secrets]: Invalid value: "500m": must be an integer'],
    },
    {
      reason: 'fractions of what bears a domain',
      spec: { hard: { 'count/secrets': '500m', 'example.org/card': '0.5', 'requests.example.org/card': '500m' } },
      errors: [
        'spec.hard[count/secrets]: Invalid value: "500m": must be an integer',
        'spec.hard[example.org/card]: Invalid value: "0.5": must be an integer',
      ],
    },
    {
      reason: 'a name that is nobody’s',
      spec: { hard: { things: '1' } },
      errors: [
        'spec.hard[things]: Invalid value: "things": must be a standard resource type or fully qualified',
        'spec.hard[things]: Invalid value: "things": must be a standard resource for quota',
      ],
    },
    {
      reason: 'scopes that exclude each other',
      spec: { scopes: ['Terminating', 'NotTerminating'] },
      errors: ['spec.scopes: Invalid value: ["Terminating","NotTerminating"]: conflicting scopes'],
    },
  ])('checks $reason', ({ spec, errors }) => {
    expect(create(quota, make(quota, { spec })).errors).toEqual(errors)
  })

  it('warns, when it is made, of requests that may be more than limits', () => {
    const made = make(quota, { spec: { hard: { memory: '1Mi', 'limits.memory': '3', 'requests.cpu': '1', cpu: '9', 'limits.cpu': '2' } } })
    expect(quota.strategy.warnings(made)).toEqual(['ResourceQuota memory (1Mi) should be less than limits.memory (3)'])
    expect(quota.strategy.warnings(made, made)).toEqual([])
  })

  it('keeps its scopes', () => {
    const old = make(quota, { spec: { scopes: ['Terminating'] } })
    expect(update(quota, make(quota, { spec: { scopes: ['BestEffort'] } }), old).errors).toEqual([
      'spec.scopes: Invalid value: ["BestEffort"]: field is immutable',
    ])
  })
})

describe('CustomResourceDefinition', () => {
  const crd = kindOf('apiextensions.k8s.io', 'CustomResourceDefinition')
  const spec = {
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      { name: 'v1', storage: false },
      { name: 'v2', storage: true },
    ],
  }

  it('fills in names and conversion, and records the storage version', () => {
    const { object } = create(crd, make(crd, { spec, status: { storedVersions: ['v0'] } }))
    expect(object).toMatchObject({
      spec: { names: { singular: 'thing', listKind: 'ThingList' }, conversion: { strategy: 'None' } },
      status: { storedVersions: ['v2'] },
    })
    expect(crd.generation).toEqual(['spec'])
  })

  it('keeps its status on update and adds a new storage version', () => {
    const old = make(crd, { spec, status: { storedVersions: ['v1'], conditions: [] } })
    expect(update(crd, make(crd, { spec, status: {} }), old).object['status']).toEqual({ storedVersions: ['v1', 'v2'], conditions: [] })
  })
})

describe('Lease', () => {
  const lease = kindOf('coordination.k8s.io', 'Lease')

  it.each([
    { spec: { leaseDurationSeconds: 0 }, error: 'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0' },
    { spec: { leaseTransitions: -1 }, error: 'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0' },
  ])('refuses $spec', ({ spec, error }) => {
    expect(create(lease, make(lease, { spec })).errors).toEqual([error])
  })

  it('is created by PUT, and updated by version only', () => {
    expect(lease.strategy).toMatchObject({ createOnUpdate: true, unconditionalUpdate: false })
  })
})
