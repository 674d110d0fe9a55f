import type { KubeObject } from '@weft/api'
import { convertObjects } from './conversion.ts'
import type { Side } from './machinery.ts'

export const WEFT = 'apiextensions.crossplane.io/v1alpha1'
export const GROUP = 'example.org'

interface DefinitionGiven {
  readonly kind?: 'InfrastructureDefinition' | 'ApplicationDefinition'
  readonly spec?: object
  readonly schema?: object
  readonly template?: object
}

export const definition = ({ kind = 'InfrastructureDefinition', spec = {}, schema, template = {} }: DefinitionGiven = {}): KubeObject => ({
  apiVersion: WEFT,
  kind,
  metadata: { name: 'boxes.example.org' },
  spec: {
    ...spec,
    crdSpecTemplate: {
      group: GROUP,
      version: 'v1',
      names: { kind: 'Box', plural: 'boxes' },
      validation: { openAPIV3Schema: schema ?? { type: 'object', properties: { size: { type: 'integer' }, name: { type: 'string' } } } },
      ...template,
    },
  },
})

export const publication: KubeObject = {
  apiVersion: WEFT,
  kind: 'InfrastructurePublication',
  metadata: { name: 'boxes.example.org' },
  spec: { infrastructureDefinitionReference: { name: 'boxes.example.org' } },
}

export const thing = { apiVersion: 'cloud.org/v1', kind: 'Thing', spec: {} }

export const composition = (template: object = {}, more: object = {}): KubeObject => ({
  apiVersion: WEFT,
  kind: 'Composition',
  metadata: { name: 'box' },
  spec: { from: { apiVersion: 'example.org/v1', kind: 'Box' }, to: [{ base: thing, ...template }], ...more },
})

export const xrd = (spec: object = {}, version: object = {}, apiVersion = 'apiextensions.crossplane.io/v1'): KubeObject => ({
  apiVersion,
  kind: 'CompositeResourceDefinition',
  metadata: { name: 'boxes.example.org' },
  spec: {
    group: GROUP,
    names: { kind: 'Box', plural: 'boxes' },
    versions: [
      {
        name: 'v1',
        served: true,
        referenceable: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } },
        },
        ...version,
      },
    ],
    ...spec,
  },
})

export const step = (input: object, more: object = {}): object => ({
  step: 'resources',
  functionRef: { name: 'function-patch-and-transform' },
  input: { apiVersion: 'pt.fn.crossplane.io/v1beta1', kind: 'Resources', ...input },
  ...more,
})
export const ready = { step: 'ready', functionRef: { name: 'function-auto-ready' } }
export const resource = (more: object = {}): object => ({ name: 'thing', base: thing, ...more })

export const pipeline = (...steps: readonly object[]): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'Composition',
  metadata: { name: 'box' },
  spec: { compositeTypeRef: { apiVersion: 'example.org/v1', kind: 'Box' }, mode: 'Pipeline', pipeline: steps },
})

export const joinOf = (separator: string): object => ({ type: 'string', string: { type: 'Join', join: { separator } } })
export const patched = (patch: object): object => ({ patches: [patch] })
export const lossesOf = (objects: readonly KubeObject[], to: Side): readonly string[] =>
  convertObjects(objects, to).losses.map(({ object, path, message }) => `${object.kind} ${path}: ${message}`)
export const there = (...objects: readonly KubeObject[]): readonly KubeObject[] => convertObjects(objects, 'crossplane').objects
export const back = (...objects: readonly KubeObject[]): readonly KubeObject[] => convertObjects(objects, 'weft').objects

/** The resources of a converted Composition. */
export const resourcesOf = (...objects: readonly KubeObject[]): readonly Record<string, unknown>[] => {
  const made = there(...objects).find(({ kind }) => kind === 'Composition') as unknown as {
    spec: { pipeline: [{ input: { resources: Record<string, unknown>[] } }] }
  }
  return made.spec.pipeline[0].input.resources
}
