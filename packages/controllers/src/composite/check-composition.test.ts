import { field, type FieldError, formatFieldErrors, type KubeObject, type Schema } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { checkComposition, type CompositionSchemas } from './check-composition.ts'

const DATABASE: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        region: { type: 'string' },
        tags: { type: 'object', additionalProperties: { type: 'string' } },
        hosts: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
      },
    },
  },
}
const SERVER: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        forProvider: {
          type: 'object',
          properties: {
            storageMB: { type: 'integer' },
            location: { type: 'string' },
            free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            settings: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { tier: { type: 'string' } } },
          },
        },
      },
    },
  },
}
const schemas: CompositionSchemas = {
  kind: ({ kind }) =>
    kind === 'Database'
      ? { schema: DATABASE, namespaced: false, nature: 'composite' }
      : kind === 'Server'
        ? { schema: SERVER, namespaced: false, nature: 'managed' }
        : kind === 'ConfigMap'
          ? { namespaced: true, nature: 'other' }
          : kind === 'ClusterRoleBinding' || kind === 'Provider'
            ? { namespaced: false, nature: 'other' }
            : undefined,
  definition: ({ kind }) => (kind === 'Database' ? { namespaced: false, account: false, connectionDetails: ['password'] } : undefined),
}
const PASSWORD = [{ fromConnectionSecretKey: 'password' }]
const compose = (template: object, from = 'Database'): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'Composition',
  metadata: { name: 'c' },
  spec: {
    from: { apiVersion: 'example.org/v1alpha1', kind: from },
    to: [{ base: { apiVersion: 'nop.example.org/v1', kind: 'Server' }, connectionDetails: PASSWORD, ...template }],
  },
})
const patch = (fromFieldPath: string, toFieldPath: string, ...transforms: object[]): KubeObject =>
  compose({ patches: [{ fromFieldPath, toFieldPath, ...(transforms.length > 0 && { transforms }) }] })
const tell = (composition: KubeObject): string =>
  checkComposition(composition, schemas)
    .map(({ severity, error }) => `${severity} ${formatFieldErrors([error])}`)
    .join('\n')

describe('checking a Composition when it is applied', () => {
  it.each([
    {
      reason: 'in its base',
      composition: compose({
        base: { apiVersion: 'nop.example.org/v1', kind: 'Server', spec: { forProvider: { settings: { teir: 'small' } } } },
      }),
    },
    { reason: 'that a patch writes', composition: patch('spec.region', 'spec.forProvider.settings.teir') },
  ])('warns of a misspelt field $reason, where the kind keeps whatever it is given', ({ composition }) => {
    expect(tell(composition)).toMatch(/^warning spec\.to\[0\]\S*.*teir.*did you mean tier\?$/)
  })

  it.each([
    { reason: 'a field of the spec to one of the same type', composition: patch('spec.region', 'spec.forProvider.location') },
    { reason: 'metadata, which every object has', composition: patch('metadata.uid', 'metadata.annotations[crossplane.io/external-name]') },
    {
      reason: 'a number through math',
      composition: patch('spec.size', 'spec.forProvider.storageMB', { type: 'math', math: { multiply: 1024 } }),
    },
    {
      reason: 'a number made text',
      composition: patch('spec.size', 'spec.forProvider.location', { type: 'string', string: { fmt: '%d GB' } }),
    },
    { reason: 'a map key, and an element of a list', composition: patch('spec.hosts[0].name', 'spec.forProvider.free.anything[2].at.all') },
  ])('accepts $reason', ({ composition }) => expect(tell(composition)).toBe(''))

  it.each([
    {
      reason: 'a from-path that the definition does not have',
      composition: patch('spec.sizes', 'spec.forProvider.storageMB'),
      path: 'spec.to[0].patches[0].fromFieldPath',
      text: 'has no field spec.sizes',
    },
    {
      reason: 'a to-path that would be dropped',
      composition: patch('spec.size', 'spec.forProvider.storage.mb'),
      path: 'spec.to[0].patches[0].toFieldPath',
      text: 'has no field spec.forProvider.storage',
    },
    {
      reason: 'a number written where text belongs',
      composition: patch('spec.size', 'spec.forProvider.location'),
      path: 'spec.to[0].patches[0].toFieldPath',
      text: 'is string, but the patch writes integer',
    },
    {
      reason: 'math on text',
      composition: patch('spec.region', 'spec.forProvider.storageMB', { type: 'math', math: { multiply: 2 } }),
      path: 'spec.to[0].patches[0].transforms[0]',
      text: 'takes numbers',
    },
    {
      reason: 'C16: a promised detail that is missing',
      composition: compose({ connectionDetails: [] }),
      path: 'spec.to',
      text: 'password',
    },
    {
      reason: 'C7: a detail that is exposed twice',
      composition: compose({ connectionDetails: [...PASSWORD, ...PASSWORD] }),
      path: 'spec.to[0].connectionDetails[1].name',
      text: 'Duplicate',
    },
    {
      reason: 'C12: a resource of the wrong scope',
      composition: compose({ base: { apiVersion: 'v1', kind: 'ConfigMap' } }),
      path: 'spec.to[0].base',
      text: 'is namespaced',
    },
    {
      reason: 'C12: a kind of Kubernetes itself',
      composition: compose({ base: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding' } }),
      path: 'spec.to[0].base',
      text: 'is not infrastructure',
    },
    {
      reason: 'C12: a kind of Kubernetes itself, for a definition that is not there yet',
      composition: compose({ base: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding' } }, 'Other'),
      path: 'spec.to[0].base',
      text: 'is not infrastructure',
    },
    {
      reason: 'C12: a package',
      composition: compose({ base: { apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider' } }),
      path: 'spec.to[0].base',
      text: 'is not infrastructure',
    },
    {
      reason: 'a template without a kind',
      composition: compose({ base: { apiVersion: 'v1' } }),
      path: 'spec.to[0].base.kind',
      text: 'Required',
    },
  ])('refuses $reason, and says where', ({ composition, path, text }) => {
    const problems = checkComposition(composition, schemas).filter(({ severity }) => severity === 'error')
    expect(problems.map(({ error }) => error.path)).toEqual([path])
    expect(tell(composition)).toContain(text)
  })

  it.each([
    { reason: 'a definition that is not there yet', composition: compose({}, 'Other'), path: 'spec.from' },
    {
      reason: 'a kind that is not active yet',
      composition: compose({ base: { apiVersion: 'late.example.org/v1', kind: 'Late' } }),
      path: 'spec.to[0].base',
    },
    {
      reason: 'a field of the base that its kind does not have',
      composition: compose({ base: { apiVersion: 'nop.example.org/v1', kind: 'Server', spec: { forProvider: { locatoin: 'x' } } } }),
      path: 'spec.to[0].base.spec.forProvider.locatoin',
    },
  ])('warns of $reason', ({ composition, path }) => {
    expect(checkComposition(composition, schemas).map(({ severity, error }) => [severity, error.path])).toEqual([['warning', path]])
  })

  it('refuses patches from and to environments, which nobody has', () => {
    for (const type of ['FromEnvironmentFieldPath', 'ToEnvironmentFieldPath'])
      expect(tell(compose({ patches: [{ type, fromFieldPath: 'region', toFieldPath: 'spec.forProvider.location' }] }))).toMatch(
        /^error spec\.to\[0\]\.patches\[0\]\.type: Forbidden: templates have no environment/,
      )
  })

  it('says of a kind that a provider offers that it is not active', () => {
    const inactive: CompositionSchemas = {
      ...schemas,
      inactive: ({ kind }) => (kind === 'Sleeper' ? 'sleepers.nop.example.org' : undefined),
    }
    const [problem] = checkComposition(compose({ base: { apiVersion: 'nop.example.org/v1', kind: 'Sleeper' } }), inactive)
    expect(problem).toMatchObject({ severity: 'warning', error: { path: 'spec.to[0].base' } })
    expect(problem?.error.message).toContain(
      'is not active: activate it with a ManagedResourceActivationPolicy that lists sleepers.nop.example.org',
    )
  })

  it('holds the values of a base against its kind, where no patch writes', () => {
    const based = (spec: object, patches: readonly object[] = []): KubeObject =>
      compose({ base: { apiVersion: 'nop.example.org/v1', kind: 'Server', spec }, patches })
    const numbersOnly = ({ spec }: KubeObject): readonly FieldError[] => {
      const { storageMB } = (spec as { forProvider: { storageMB?: unknown } }).forProvider
      const missing = field.required('spec.forProvider.location')
      return typeof storageMB === 'number'
        ? [missing]
        : [missing, field.typeInvalid('spec.forProvider.storageMB', storageMB, 'is no integer')]
    }
    const judged: CompositionSchemas = {
      ...schemas,
      kind: (kind) => {
        const known = schemas.kind(kind)
        return known && { ...known, ...(kind.kind === 'Server' && { validate: numbersOnly }) }
      },
    }
    const errors = (composition: KubeObject): readonly string[] => checkComposition(composition, judged).map(({ error }) => error.path)
    expect(errors(based({ forProvider: { storageMB: 'many' } }))).toEqual(['spec.to[0].base.spec.forProvider.storageMB'])
    expect(errors(based({ forProvider: { storageMB: 5 } }))).toEqual([])
    const patched = [{ fromFieldPath: 'spec.size', toFieldPath: 'spec.forProvider.storageMB' }]
    expect(errors(based({ forProvider: { storageMB: 'many' } }, patched))).toEqual([])
  })
})
