import type { KubeObject } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { lacksRights } from './author-rights.ts'
import type { Action, Authority } from './authority.ts'

const GROUP = 'apiextensions.crossplane.io'
const author = { username: 'ivy', groups: [] }
const definition = (more: object): KubeObject => ({
  apiVersion: `${GROUP}/v1alpha1`,
  kind: 'ApplicationDefinition',
  metadata: { name: 'shops.example.org' },
  spec: { crdSpecTemplate: { group: 'example.org', version: 'v1', names: { kind: 'Shop', plural: 'shops' } }, ...more },
})
const composition: KubeObject = {
  apiVersion: `${GROUP}/v1alpha1`,
  kind: 'Composition',
  metadata: { name: 'c' },
  spec: {
    from: { apiVersion: 'example.org/v1', kind: 'Shop' },
    to: [{ base: { apiVersion: 'apps/v1', kind: 'Deployment' } }, { base: { apiVersion: 'later.example.org/v1', kind: 'Later' } }],
  },
}
const pipeline: KubeObject = {
  apiVersion: `${GROUP}/v1`,
  kind: 'Composition',
  metadata: { name: 'c' },
  spec: { compositeTypeRef: { apiVersion: 'example.org/v1', kind: 'Shop' }, pipeline: [{ step: 'a', functionRef: { name: 'f' } }] },
}
const OPS = 'ops.crossplane.io'
const operation: KubeObject = {
  apiVersion: `${OPS}/v1alpha1`,
  kind: 'Operation',
  metadata: { name: 'o' },
  spec: { mode: 'Pipeline', pipeline: [{ step: 'a', functionRef: { name: 'f' } }] },
}
const cron: KubeObject = {
  ...operation,
  kind: 'CronOperation',
  spec: { schedule: '@daily', operationTemplate: { spec: operation['spec'] } },
} as KubeObject
const AS = definition({ serviceAccountRef: { namespace: 'apps', name: 'maker' } })

const judged = async (
  object: KubeObject,
  allowed: readonly string[],
  { oldObject, known = [], isWeft = false }: { oldObject?: KubeObject; known?: readonly KubeObject[]; isWeft?: boolean } = {},
): Promise<string> => {
  const authority: Authority = {
    allows: (_author, { verb, resource, namespace, name }: Action) =>
      allowed.includes(`${verb} ${resource}${verb === 'impersonate' ? ` ${namespace ?? ''}/${name ?? ''}` : ''}`),
    isWeft: () => Promise.resolve(isWeft),
    resourceOf: ({ kind }) => (kind === 'Deployment' ? 'deployments' : undefined),
  }
  const kinds = { find: () => undefined, objects: ({ kind }: { kind: string }) => known.filter((each) => each.kind === kind) }
  const [group = '', version = ''] = object.apiVersion.split('/')
  const resource = `${object.kind.toLowerCase()}s`
  const subject = {
    operation: oldObject ? 'UPDATE' : 'CREATE',
    object,
    oldObject,
    group,
    version,
    kind: object.kind,
    subresource: '',
    resource,
  }
  return (await lacksRights(author, subject, { kinds, authority }))?.message ?? 'allowed'
}

describe('the rights of authors', () => {
  test.each<[string, string, Promise<string>]>([
    ['without any right', 'may not have a Deployment.apps created', judged(composition, [])],
    ['with create', 'allowed', judged(composition, ['create deployments'])],
    ['with compose', 'allowed', judged(composition, ['compose deployments'])],
    ['with escalate on what is written', 'allowed', judged(composition, ['escalate compositions'])],
    ['a pipeline, without the right to make everything', 'whatever they return', judged(pipeline, ['create deployments'])],
    ['a pipeline, with escalate', 'allowed', judged(pipeline, ['escalate compositions'])],
    ['a pipeline, with the right to make everything', 'allowed', judged(pipeline, ['create *'])],
    [
      'a revision, which a composite may name: by somebody who may write revisions only',
      'may not have functions create whatever they return',
      judged({ ...pipeline, kind: 'CompositionRevision' }, ['create compositionrevisions']),
    ],
    ['a revision that Weft made', 'allowed', judged({ ...pipeline, kind: 'CompositionRevision' }, [], { isWeft: true })],
    ['a pipeline that a package brings', 'allowed', judged(pipeline, [], { isWeft: true })],
    [
      'an operation, by somebody who may write operations only',
      'may not have functions create whatever they return',
      judged(operation, ['create operations']),
    ],
    ['an operation, with escalate', 'allowed', judged(operation, ['escalate operations'])],
    ['operations by the clock', 'a pipeline requires the verb escalate on cronoperations', judged(cron, ['escalate operations'])],
    ['an operation that the clock made', 'allowed', judged(operation, [], { isWeft: true })],
    ['with another verb', 'may not have', judged(composition, ['update deployments', 'escalate applicationdefinitions'])],
    [
      'whoever may act as the account of the definition',
      'allowed',
      judged(composition, ['impersonate serviceaccounts apps/maker'], { known: [AS] }),
    ],
    [
      'whoever may act as another account',
      'may not have',
      judged(composition, ['impersonate serviceaccounts apps/other'], { known: [AS] }),
    ],
    [
      'a change of labels',
      'allowed',
      judged({ ...composition, metadata: { name: 'c', labels: { a: 'b' } } }, [], { oldObject: composition }),
    ],
    ['a definition without an account', 'allowed', judged(definition({}), [])],
    ['an account that one may not act as', 'apps/maker', judged(AS, [])],
    ['an account without a namespace', 'crossplane-system/maker', judged(definition({ serviceAccountRef: { name: 'maker' } }), [])],
    ['an account that one may act as', 'allowed', judged(AS, ['impersonate serviceaccounts apps/maker'])],
    ['naming an account later', 'apps/maker', judged(AS, [], { oldObject: definition({}) })],
    ['a package does not borrow what Weft may do', 'apps/maker', judged(AS, ['impersonate serviceaccounts apps/maker'], { isWeft: true })],
    ['unless an administrator says so', 'allowed', judged(AS, ['escalate applicationdefinitions'], { isWeft: true })],
  ])('%s', async (_reason, expected, verdict) => {
    expect(await verdict).toContain(expected)
  })
})
