import { describe, expect, it } from 'vitest'
import { PackageError, type PackageErrorCode } from '../package-error.ts'
import { parsePackage } from './parse-package.ts'

const meta = (kind: string, spec = '{}', version = 'v1'): string =>
  `apiVersion: meta.pkg.crossplane.io/${version}\nkind: ${kind}\nmetadata: {name: example}\nspec: ${spec}\n`
const object = (apiVersion: string, kind: string, name = 'x'): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}}\n`
const stream = (...documents: string[]): string => documents.join('---\n')
const CRD = object('apiextensions.k8s.io/v1', 'CustomResourceDefinition')
const COMPOSITION = object('apiextensions.crossplane.io/v1', 'Composition')

function refusal(text: string): PackageError {
  try {
    parsePackage(text)
  } catch (error) {
    if (error instanceof PackageError) return error
    throw error
  }
  throw new Error('it was accepted')
}

describe('package.yaml', () => {
  it('has one metadata document and objects, in their order', () => {
    const parsed = parsePackage(
      stream(
        '# a comment alone\n',
        CRD,
        meta('Provider', '{capabilities: [late-mr-activation], crossplane: {version: ">=v1.14.0"}}'),
        object('apiextensions.crossplane.io/v1alpha1', 'ManagedResourceDefinition', 'second'),
      ),
    )
    expect(parsed).toMatchObject({
      type: 'Provider',
      name: 'example',
      capabilities: ['late-mr-activation'],
      crossplaneConstraint: '>=v1.14.0',
    })
    expect(parsed.objects.map(({ kind }) => kind)).toEqual(['CustomResourceDefinition', 'ManagedResourceDefinition'])
  })

  it.each(['v1', 'v1beta1', 'v1alpha1'])('metadata of %s will do', (version) => {
    expect(parsePackage(meta('Configuration', '{}', version)).type).toBe('Configuration')
  })

  it('reads dependencies as older and newer packages write them', () => {
    const spec = `
  dependsOn:
  - {provider: example.org/a, version: ">=v1.0.0"}
  - {configuration: example.org/b, version: v1.x}
  - {apiVersion: pkg.crossplane.io/v1, kind: Provider, package: example.org/c, version: v2.0.0}
  - {function: example.org/d}
`
    expect(parsePackage(meta('Configuration', spec)).dependencies).toEqual([
      { package: 'example.org/a', type: 'Provider', version: '>=v1.0.0' },
      { package: 'example.org/b', type: 'Configuration', version: 'v1.x' },
      { package: 'example.org/c', type: 'Provider', version: 'v2.0.0' },
      { package: 'example.org/d', type: 'Function', version: '*' },
    ])
  })

  it('is YAML as Kubernetes reads it', () => {
    const data = `${object('apiextensions.crossplane.io/v1', 'Composition')}spec: {on: yes, date: 2020-01-01, time: 12:30, octal: 010, big: 12345678901234567890, text: "no", list: &a [1, 0x10], again: *a}\n`
    expect(parsePackage(stream(meta('Configuration'), data)).objects[0]?.['spec']).toEqual({
      true: true,
      date: '2020-01-01',
      time: '12:30',
      octal: 8,
      big: 12345678901234567890n,
      text: 'no',
      list: [1, 16],
      again: [1, 16],
    })
  })

  it('takes documents that are JSON, and the separator inside text', () => {
    const json =
      '{"apiVersion":"apiextensions.crossplane.io/v1","kind":"Composition","metadata":{"name":"j"},"spec":{"text":"a\\n---\\nb"}}\n'
    const block = `${object('apiextensions.crossplane.io/v1', 'Composition', 'b')}spec:\n  text: |\n    ---\n    c\n`
    const { objects } = parsePackage(stream(meta('Configuration'), json, block))
    expect(objects.map((each) => (each['spec'] as { text: string }).text)).toEqual(['a\n---\nb', '---\nc\n'])
  })

  it.each([
    ['Provider', CRD],
    ['Provider', object('apiextensions.crossplane.io/v1alpha1', 'ManagedResourceDefinition')],
    ['Provider', object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration')],
    ['Provider', object('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration')],
    ['Provider', object('weft.dev/v1alpha1', 'ResourceBindingDefinition')],
    ['Provider', object('weft.dev/v1alpha1', 'ResourceReferenceDefinition')],
    ['Configuration', COMPOSITION],
    ['Configuration', object('apiextensions.crossplane.io/v1', 'CompositeResourceDefinition')],
    ['Configuration', object('apiextensions.crossplane.io/v1alpha1', 'InfrastructureDefinition')],
    ['Configuration', object('apiextensions.crossplane.io/v1alpha1', 'ApplicationDefinition')],
    ['Configuration', object('apiextensions.crossplane.io/v1alpha1', 'InfrastructurePublication')],
    ['Configuration', object('apiextensions.crossplane.io/v1alpha1', 'ManagedResourceActivationPolicy')],
    ['Configuration', object('aggregation.crossplane.io/v1alpha1', 'AggregateResourceClass')],
    ['Configuration', object('infrastructure.crossplane.io/v1alpha1', 'ResourceClass')],
    ['Configuration', object('database.gcp.crossplane.io/v1beta1', 'CloudSQLInstanceClass')],
  ])('M10: a %s may carry %j', (type, carried) => {
    expect(parsePackage(stream(meta(type), carried)).objects).toHaveLength(1)
  })

  it.each([
    ['Provider', COMPOSITION],
    ['Provider', object('v1', 'Secret')],
    ['Provider', object('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding')],
    ['Provider', object('apiextensions.crossplane.io/v1alpha1', 'ManagedResourceActivationPolicy')],
    ['Configuration', CRD],
    ['Configuration', object('v1', 'ConfigMap')],
    ['Configuration', object('storage.k8s.io/v1', 'StorageClass')],
    ['Configuration', object('pkg.crossplane.io/v1', 'Provider')],
    ['Configuration', object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration')],
  ])('a %s may not carry %j', (type, carried) => {
    const { code, message } = refusal(stream(meta(type), carried))
    expect(code).toBe('NotAllowed')
    expect(message).toContain('document 2 (line 5)')
  })

  const DEEP = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
  const BOMB = `a: &a [1,1,1,1,1,1,1,1,1]\n${'bcdefgh'.replaceAll(
    /./g,
    (name) =>
      `${name}: &${name} [${Array<string>(9)
        .fill(`*${String.fromCharCode(name.charCodeAt(0) - 1)}`)
        .join(',')}]\n`,
  )}`
  it.each<{ reason: string; text: string; code?: PackageErrorCode; says?: string }>([
    { reason: 'nothing', text: '' },
    { reason: 'no metadata', text: CRD },
    { reason: 'two metadata documents', text: stream(meta('Provider'), meta('Provider')), says: 'document 2 (line 5)' },
    { reason: 'not YAML', text: stream(meta('Provider'), 'a: b\nc: [1\n'), says: 'document 2, line' },
    { reason: 'a tab', text: stream(meta('Provider'), 'a:\n\tb: 1\n'), says: 'line 7' },
    { reason: 'a key twice', text: stream(meta('Provider'), `${CRD}kind: Other\n`), says: 'line 9' },
    { reason: 'a list', text: stream(meta('Provider'), '- a\n'), says: 'document 2 (line 5)' },
    { reason: 'no kind', text: stream(meta('Provider'), 'apiVersion: v1\nmetadata: {name: a}\n'), says: 'kind' },
    { reason: 'no name', text: stream(meta('Provider'), 'apiVersion: v1\nkind: A\nmetadata: {}\n'), says: 'name' },
    { reason: 'the same object twice', text: stream(meta('Provider'), CRD, CRD), says: 'document 3 (line 9)' },
    { reason: 'an unknown version', text: meta('Provider', '{}', 'v9'), code: 'Unsupported' },
    { reason: 'a function with a composition', text: stream(meta('Function'), COMPOSITION), code: 'NotAllowed' },
    { reason: 'another kind of package', text: meta('Stack') },
    { reason: 'spec is text', text: meta('Provider', 'hello') },
    { reason: 'capabilities is text', text: meta('Provider', '{capabilities: x}') },
    { reason: 'a dependency without name', text: meta('Configuration', '{dependsOn: [{version: v1.0.0}]}'), says: 'dependsOn[0]' },
    { reason: 'a dependency of no known type', text: meta('Configuration', '{dependsOn: [{kind: X, package: a}]}') },
    { reason: 'a version that is a number', text: meta('Configuration', '{dependsOn: [{provider: a, version: 1}]}'), says: 'version' },
    { reason: 'aliases that blow up', text: stream(meta('Provider'), BOMB) },
    { reason: 'nesting without end', text: stream(meta('Provider'), `${object('v1', 'A')}spec: ${DEEP}\n`) },
    { reason: 'an alias of itself', text: stream(meta('Provider'), `${object('v1', 'A')}spec: &s {a: *s}\n`) },
    { reason: 'not a number', text: stream(meta('Provider'), `${object('v1', 'A')}spec: .nan\n`) },
  ])('refuses $reason', ({ text, code = 'Malformed', says = '' }) => {
    const error = refusal(text)
    expect(error.code).toBe(code)
    expect(error.message).toContain(says)
    expect(error.retryable).toBe(false)
  })

  it('`__proto__` is data', () => {
    const { objects } = parsePackage(stream(meta('Configuration'), `${COMPOSITION}spec: {__proto__: {polluted: true}}\n`))
    expect(Object.keys(objects[0]?.['spec'] as object)).toEqual(['__proto__'])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})
