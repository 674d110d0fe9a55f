import type { KubeObject } from '@weft/api'
import { machineryOf } from '@weft/composition'
import { NAMESPACE, startWorld, type World, type WorldOptions } from '../definition/world.fixture.ts'
import { startManagedDefinitionControllers } from '../managed-definition/start.ts'
import { startDefinitionControllers } from '../start-definition-controllers.ts'
import { APPLICATION, INFRASTRUCTURE } from './composite-type.ts'
import { type ComposedRef, composedRefsOf } from './members.ts'

/** A world in which definitions define and composites are composed. */
export const startCompositeWorld = (options: WorldOptions = {}): Promise<World> =>
  startWorld({
    start: async (services) => {
      await startManagedDefinitionControllers(services)
      await startDefinitionControllers(services)
    },
    ...options,
  })

/** Small objects that tests compose. */
const DEFINITIONS = 'apiextensions.crossplane.io/v1alpha1'
const SCHEMA = { type: 'object', properties: { size: { type: 'int' }, region: { type: 'string' } } }

export const infrastructure = (schema: object = {}, more: object = {}, kind = 'Database', plural = 'databases'): KubeObject => ({
  apiVersion: DEFINITIONS,
  kind: 'InfrastructureDefinition',
  metadata: { name: `${plural}.example.org` },
  spec: {
    crdSpecTemplate: {
      group: 'example.org',
      version: 'v1alpha1',
      names: { kind, plural },
      validation: { openAPIV3Schema: { ...SCHEMA, ...schema } },
    },
    ...more,
  },
})

export const application = (more: object = {}): KubeObject => ({
  apiVersion: DEFINITIONS,
  kind: 'ApplicationDefinition',
  metadata: { name: 'blogs.example.org' },
  spec: {
    crdSpecTemplate: {
      group: 'example.org',
      version: 'v1alpha1',
      names: { kind: 'Blog', plural: 'blogs' },
      validation: { openAPIV3Schema: SCHEMA },
    },
    ...more,
  },
})

export const publication = (name = 'databases.example.org'): KubeObject => ({
  apiVersion: DEFINITIONS,
  kind: 'InfrastructurePublication',
  metadata: { name },
  spec: { infrastructureDefinitionReference: { name } },
})

export const composition = (name: string, to: readonly object[], kind = 'Database', labels: Record<string, string> = {}): KubeObject => ({
  apiVersion: DEFINITIONS,
  kind: 'Composition',
  metadata: { name, labels },
  spec: { from: { apiVersion: 'example.org/v1alpha1', kind }, to },
})

export const member = (kind: string, patch?: readonly [from: string, to: string], connectionDetails?: readonly object[]): object => ({
  base: {
    apiVersion: 'nop.example.org/v1alpha1',
    kind,
    spec: { ...(connectionDetails && { writeConnectionSecretToRef: { namespace: NAMESPACE } }) },
  },
  ...(patch && { patches: [{ fromFieldPath: patch[0], toFieldPath: patch[1] }] }),
  ...(connectionDetails && { connectionDetails }),
})

export const instance = (name: string, spec: object, infrastructureFields: object, kind = 'Database'): KubeObject => ({
  apiVersion: 'example.org/v1alpha1',
  kind,
  metadata: { name },
  spec: { ...spec, infrastructure: infrastructureFields },
})

export const machinery = (object: KubeObject): Readonly<Record<string, unknown>> =>
  machineryOf(
    object,
    object.metadata.namespace === undefined || object.kind.endsWith('Requirement') ? 'spec.infrastructure' : 'spec.application',
  )

export const refsOf = (object: KubeObject): readonly ComposedRef[] =>
  composedRefsOf(object, object.metadata.namespace === undefined ? INFRASTRUCTURE : APPLICATION).filter((ref) => ref !== undefined)
