import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { judge } from './weft-admission.ts'

const nothingServed = { find: () => undefined, objects: () => [] }
const composition = (version: string): KubeObject => ({
  apiVersion: `apiextensions.crossplane.io/${version}`,
  kind: 'Composition',
  metadata: { name: 'c' },
  // Templates that make nothing of any kind.
  spec: { from: { apiVersion: 'example.org/v1', kind: 'X' }, to: [{ base: {} }] },
})
const pipeline: KubeObject = {
  ...composition('v1'),
  spec: { compositeTypeRef: { apiVersion: 'example.org/v1', kind: 'X' }, mode: 'Pipeline', pipeline: [{ step: 'one' }] },
} as KubeObject

describe('what admission judges', () => {
  it.each([
    ['v1alpha1', true, composition('v1alpha1')],
    ['v1', true, composition('v1')],
    ['v1, a pipeline', false, pipeline],
    ['v2, which is somebody else’s', false, composition('v2')],
  ])('a Composition of %s: %s', (_name, judged, object) => {
    const version = object.apiVersion.split('/')[1] ?? ''
    const subject = {
      operation: 'CREATE',
      object,
      oldObject: undefined,
      group: 'apiextensions.crossplane.io',
      version,
      kind: 'Composition',
      subresource: '',
    }
    expect(judge(subject, nothingServed).errors.length > 0).toBe(judged)
  })

  it('K23: warns of what the kind will not have of its definition', () => {
    const schema = { openAPIV3Schema: { properties: { spec: { type: 'object', anyOf: [] } } } }
    const names = { kind: 'Kiosk', plural: 'kiosks' }
    const object = {
      apiVersion: 'apiextensions.crossplane.io/v2',
      kind: 'CompositeResourceDefinition',
      metadata: { name: 'kiosks.shop.example.org' },
      spec: { group: 'shop.example.org', names, versions: [{ name: 'v1', served: true, referenceable: true, schema }] },
    }
    const { kind } = object
    const subject = {
      operation: 'CREATE',
      object,
      oldObject: undefined,
      group: 'apiextensions.crossplane.io',
      version: 'v2',
      kind,
      subresource: '',
    }
    expect(judge(subject, nothingServed)).toEqual({
      errors: [],
      warnings: [expect.stringContaining('spec.versions[0].schema.openAPIV3Schema.properties.spec.anyOf: is left out of the kind')],
    })
  })

  describe('a Composition and its kinds in one go', () => {
    const definition = (kind: string, names: { kind: string; plural: string }): KubeObject => ({
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind,
      metadata: { name: `${names.plural}.example.org` },
      spec: { crdSpecTemplate: { group: 'example.org', version: 'v1', names } },
    })
    const defined: readonly KubeObject[] = [
      definition('ApplicationDefinition', { kind: 'App', plural: 'apps' }),
      definition('InfrastructureDefinition', { kind: 'Store', plural: 'stores' }),
      {
        apiVersion: 'apiextensions.crossplane.io/v1alpha1',
        kind: 'InfrastructurePublication',
        metadata: { name: 'stores.example.org' },
        spec: { infrastructureDefinitionReference: { name: 'stores.example.org' } },
      },
      {
        apiVersion: 'apiextensions.crossplane.io/v1alpha1',
        kind: 'ManagedResourceDefinition',
        metadata: { name: 'servers.nop.example.org' },
        spec: {
          group: 'nop.example.org',
          names: { kind: 'Server', plural: 'servers' },
          scope: 'Cluster',
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
          state: 'Active',
        },
      },
    ]
    const warningsOf = (base: { apiVersion: string; kind: string }, objects: readonly KubeObject[]): readonly string[] => {
      const object: KubeObject = {
        apiVersion: 'apiextensions.crossplane.io/v1alpha1',
        kind: 'Composition',
        metadata: { name: 'c' },
        spec: { from: { apiVersion: 'example.org/v1', kind: 'App' }, to: [{ name: 'one', base }] },
      }
      const subject = {
        operation: 'CREATE',
        object,
        oldObject: undefined,
        group: 'apiextensions.crossplane.io',
        version: 'v1alpha1',
        kind: 'Composition',
        subresource: '',
      }
      return judge(subject, { find: () => undefined, objects: ({ kind }) => objects.filter((each) => each.kind === kind) }).warnings
    }

    it('is no reason to warn anybody of kinds that are about to be served', () => {
      expect(warningsOf({ apiVersion: 'example.org/v1', kind: 'StoreRequirement' }, defined)).toEqual([])
      expect(warningsOf({ apiVersion: 'example.org/v1', kind: 'Store' }, defined)).toEqual([])
      expect(warningsOf({ apiVersion: 'nop.example.org/v1', kind: 'Server' }, defined)).toEqual([])
    })

    it('is told what to do about kinds that nobody defines', () => {
      const [from, base, ...more] = warningsOf({ apiVersion: 'example.org/v1', kind: 'StoreRequirement' }, [])
      expect(from).toMatch(/^spec\.from: .*"App\.example\.org": no such kind is defined here: apply its /)
      expect(base).toMatch(/^spec\.to\[0\]\.base: .*no kind StoreRequirement of example\.org\/v1 is served here: install .*publish /)
      expect(more).toEqual([])
    })

    it('is not told that a kind is inactive when only its version is wrong', () => {
      const [base] = warningsOf({ apiVersion: 'nop.example.org/v9', kind: 'Server' }, defined)
      expect(base).toContain('no kind Server of nop.example.org/v9 is served here')
      expect(base).toContain('correct apiVersion and kind')
    })
  })

  it('a slip is told again to whoever writes the same again, and not to who changes only metadata', () => {
    const schema = {
      properties: {
        spec: { properties: { engineVersion: {}, classSelector: {} }, 'x-kubernetes-preserve-unknown-fields': true },
      },
    }
    const claim = (finalizers?: readonly string[]): KubeObject =>
      ({
        apiVersion: 'example.org/v1',
        kind: 'Database',
        metadata: { name: 'db', ...(finalizers && { finalizers }) },
        spec: { clasSelector: {} },
      }) as KubeObject
    const warnings = (object: KubeObject, oldObject?: KubeObject): number =>
      judge(
        {
          operation: oldObject === undefined ? 'CREATE' : 'UPDATE',
          object,
          oldObject,
          group: 'example.org',
          version: 'v1',
          kind: 'Database',
          subresource: '',
        },
        { find: () => ({ schema }) as never, objects: () => [] },
      ).warnings.length
    expect(warnings(claim())).toBe(1)
    expect(warnings(claim(), claim())).toBe(1)
    expect(warnings(claim(['f']), claim())).toBe(0)
  })
})
