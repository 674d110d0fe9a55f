import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { type BuiltinKind, findBuiltin } from './index.ts'

const kindOf = (group: string, kind: string): BuiltinKind => {
  const row = findBuiltin(group, kind)
  if (row === undefined) throw new Error(`no kind ${kind}`)
  return row
}
const now = Date.UTC(2026, 0, 2, 3, 4, 5)
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const paths = (errors: readonly { path: string }[]): string[] => errors.map(({ path }) => path)

describe('CertificateSigningRequest', () => {
  const csr = kindOf('certificates.k8s.io', 'CertificateSigningRequest')
  const part = (name: string) => {
    const found = csr.subresources.find((each) => each.name === name)
    if (found === undefined) throw new Error(name)
    return found.strategy
  }
  const pem = (type: string): string => base64(`-----BEGIN ${type}-----\nAAAA\n-----END ${type}-----\n`)
  const spec = { request: pem('CERTIFICATE REQUEST'), signerName: 'example.org/signer', usages: ['client auth'] }
  const object = (fields: object = {}, status: object = {}): KubeObject => ({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'a' },
    spec: { ...spec, ...fields },
    status,
  })
  const approved = { type: 'Approved', status: 'True' }

  it('knows who asks, whatever the client says', () => {
    const made = csr.strategy.prepareForCreate(object({ username: 'root', groups: ['system:masters'] }, { certificate: 'x' }), {
      now,
      user: { username: 'ann', groups: ['dev'] },
    })
    expect(made).toMatchObject({ spec: { username: 'ann', groups: ['dev'] }, status: {} })
    expect(csr.strategy.validate(made)).toEqual([])
  })

  it.each<{ reason: string; fields: object; errors: string[] }>([
    { reason: 'no request', fields: { request: base64('x') }, errors: ['spec.request'] },
    { reason: 'no usages', fields: { usages: [] }, errors: ['spec.usages'] },
    { reason: 'a usage of its own', fields: { usages: ['art'] }, errors: ['spec.usages[0]'] },
    { reason: 'a signer without a domain', fields: { signerName: 'signer' }, errors: ['spec.signerName'] },
    { reason: 'a short life', fields: { expirationSeconds: 10 }, errors: ['spec.expirationSeconds'] },
  ])('refuses $reason', ({ fields, errors }) => {
    expect(paths(csr.strategy.validate(object(fields)))).toEqual(errors)
  })

  it('is approved through approval only, and for good', () => {
    const next = part('approval').prepareForUpdate(object({ usages: [] }, { conditions: [approved], certificate: 'x' }), object(), { now })
    expect(next).toMatchObject({
      spec,
      status: { conditions: [{ ...approved, lastUpdateTime: '2026-01-02T03:04:05Z', lastTransitionTime: '2026-01-02T03:04:05Z' }] },
    })
    expect(next['status']).not.toHaveProperty('certificate')
    expect(part('approval').validateUpdate(next, object())).toEqual([])
    expect(paths(part('status').validateUpdate(next, object()))).toEqual(['status.conditions'])
    expect(paths(part('approval').validateUpdate(object(), next))).toEqual(['status.conditions'])
  })

  it('is either approved or denied', () => {
    expect(
      paths(part('approval').validateUpdate(object({}, { conditions: [approved, { type: 'Denied', status: 'True' }] }), object())),
    ).toEqual(['status.conditions'])
  })

  it('gets its certificate through status, once', () => {
    const issued = object({}, { certificate: pem('CERTIFICATE') })
    expect(part('status').validateUpdate(issued, object())).toEqual([])
    expect(paths(part('status').validateUpdate(object({}, { certificate: base64('-----BEGIN CERTIFICATE-----2') }), issued))).toEqual([
      'status.certificate',
    ])
    expect(paths(part('status').validateUpdate(object({}, { certificate: pem('KEY') }), object()))).toEqual(['status.certificate'])
  })

  it('shows what became of it', () => {
    const cell = (status: object): unknown => csr.columns.at(-1)?.cell(object({}, status), now)
    expect(cell({})).toBe('Pending')
    expect(cell({ conditions: [approved], certificate: 'x' })).toBe('Approved,Issued')
  })
})

describe('access reviews', () => {
  const review = (kind: string, spec: object, metadata: object = {}): string[] =>
    paths(kindOf('authorization.k8s.io', kind).strategy.validate({ apiVersion: 'authorization.k8s.io/v1', kind, metadata, spec }))
  const resourceAttributes = { verb: 'get', resource: 'pods', namespace: 'ns' }

  it.each<{ reason: string; kind: string; spec: object; metadata?: object; errors: string[] }>([
    { reason: 'a good one', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes }, errors: [] },
    { reason: 'nothing asked', kind: 'SelfSubjectAccessReview', spec: {}, errors: ['spec.resourceAttributes'] },
    {
      reason: 'two things asked',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes, nonResourceAttributes: {} },
      errors: ['spec.nonResourceAttributes'],
    },
    { reason: 'nobody', kind: 'SubjectAccessReview', spec: { resourceAttributes }, errors: ['spec.user'] },
    { reason: 'a group', kind: 'SubjectAccessReview', spec: { resourceAttributes, groups: ['g'] }, errors: [] },
    {
      reason: 'a name',
      kind: 'SubjectAccessReview',
      spec: { resourceAttributes, user: 'u' },
      metadata: { name: 'x' },
      errors: ['metadata'],
    },
    {
      reason: 'another namespace',
      kind: 'LocalSubjectAccessReview',
      spec: { resourceAttributes, user: 'u' },
      metadata: { namespace: 'other' },
      errors: ['spec.resourceAttributes.namespace'],
    },
    {
      reason: 'its own namespace',
      kind: 'LocalSubjectAccessReview',
      spec: { resourceAttributes, user: 'u' },
      metadata: { namespace: 'ns' },
      errors: [],
    },
    {
      reason: 'a selector that says nothing',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { ...resourceAttributes, labelSelector: {} } },
      errors: ['spec.resourceAttributes.labelSelector.requirements'],
    },
    {
      reason: 'an operator of the future',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { ...resourceAttributes, fieldSelector: { requirements: [{ key: 'a', operator: 'Near' }] } } },
      errors: [],
    },
  ])('$kind: $reason', ({ kind, spec, metadata, errors }) => {
    expect(review(kind, spec, metadata)).toEqual(errors)
  })
})

describe('APIService', () => {
  const service = kindOf('apiregistration.k8s.io', 'APIService')
  const object = (spec: object, name = 'v1.example.org'): KubeObject => ({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name },
    spec,
  })
  const spec = { group: 'example.org', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 }

  it('is available from the start when it is ours', () => {
    const made = service.strategy.prepareForCreate(object(spec), { now })
    expect(service.strategy.validate(made)).toEqual([])
    expect(service.columns.map((column) => column.cell(made, now))).toEqual(['v1.example.org', 'Local', 'True', '<unknown>'])
  })

  it('changes nothing but status through status', () => {
    const status = service.subresources[0]?.strategy
    const old = { ...object(spec), metadata: { name: 'v1.example.org', labels: { a: 'b' } } }
    const next = { ...object({}), metadata: { name: 'v1.example.org', annotations: { c: 'd' } }, status: { conditions: [] } }
    expect(status?.prepareForUpdate(next, old, { now })).toEqual({ ...old, status: { conditions: [] } })
  })

  it('is named after its version, and keeps to the ranges', () => {
    expect(paths(service.strategy.validate(object(spec, 'x')))).toEqual(['metadata.name'])
    expect(paths(service.strategy.validate(object({ ...spec, versionPriority: 0, groupPriorityMinimum: 20_001 })))).toEqual([
      'spec.groupPriorityMinimum',
      'spec.versionPriority',
    ])
    expect(paths(service.strategy.validate(object({ ...spec, service: { name: 's' } })))).toEqual(['spec.service.namespace'])
  })
})
