import type { KubeObject } from '@weft/api'
import type { FunctionRunner, Resource, RunFunctionResponse, Struct } from '@weft/functions'
import { startWorld, type World } from '../definition/world.fixture.ts'
import { startManagedDefinitionControllers } from '../managed-definition/start.ts'
import { startXrdControllers } from '../start-xrd-controllers.ts'

/** A platform that tests compose: kinds of nop resources, definitions, compositions, and a function that makes what its input says. */
const GROUP = 'shop.example.org'
export const VERSION: string = `${GROUP}/v1alpha1`

const SCHEMA = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { size: { type: 'integer' }, zone: { type: 'string' } } },
    status: {
      type: 'object',
      properties: { zone: { type: 'string' }, seen: { type: 'integer' }, lastHandledReconcileAt: { type: 'string' } },
    },
  },
}

export const xrd = (kind: string, plural: string, spec: object = {}, api: 'v1' | 'v2' = 'v2'): KubeObject => ({
  apiVersion: `apiextensions.crossplane.io/${api}`,
  kind: 'CompositeResourceDefinition',
  metadata: { name: `${plural}.${GROUP}` },
  spec: {
    group: GROUP,
    names: { kind, plural },
    versions: [{ name: 'v1alpha1', served: true, referenceable: true, schema: { openAPIV3Schema: SCHEMA } }],
    ...spec,
  },
})

export const pipelineOf = (
  name: string,
  kind: string,
  input: object,
  more: { labels?: Record<string, string>; spec?: object } = {},
): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'Composition',
  metadata: { name, ...(more.labels && { labels: more.labels }) },
  spec: {
    compositeTypeRef: { apiVersion: VERSION, kind },
    mode: 'Pipeline',
    pipeline: [
      {
        step: 'make',
        functionRef: { name: 'maker' },
        input: { apiVersion: 'test.example.org/v1', kind: 'Input', ...input },
      },
    ],
    ...more.spec,
  },
})

export const crate = (spec: object = {}, metadata: object = {}): object => ({
  apiVersion: 'nop.example.org/v1alpha1',
  kind: 'Crate',
  metadata,
  spec,
})

export const xr = (kind: string, name: string, spec: object = {}, metadata: object = {}): KubeObject => ({
  apiVersion: VERSION,
  kind,
  metadata: { name, ...metadata },
  spec,
})

/** A world in which this function answers for every step of a pipeline. */
export const startXrWorld = (runner: FunctionRunner): Promise<World> =>
  startWorld({
    start: async (services) => {
      await startManagedDefinitionControllers(services)
      return await startXrdControllers(services, { functions: () => runner })
    },
  })

/**
 * What its input says: `make` are the resources; `size` of the composite goes into each; a resource is ready when it says so itself. `response` is
 * answered as it stands, and `calls` counts.
 */
export class Maker implements FunctionRunner {
  calls = 0

  async run(_name: string, { observed, input, desired }: Parameters<FunctionRunner['run']>[1]): Promise<RunFunctionResponse> {
    this.calls++
    const {
      make = {},
      status,
      response = {},
      publish,
    } = (input ?? {}) as unknown as {
      make?: Record<string, Struct>
      status?: Struct
      response?: RunFunctionResponse
      publish?: Record<string, string>
    }
    const size = ((observed?.composite?.resource?.['spec'] ?? {}) as { size?: number }).size
    const resources = Object.fromEntries(
      Object.entries(make).map(([name, base]): [string, Resource] => {
        const spec = { ...(base['spec'] as Struct), ...(size !== undefined && { size }) }
        const seen = observed?.resources?.[name]?.resource
        const conditions = ((seen?.['status'] ?? {}) as { conditions?: readonly { type: string; status: string }[] }).conditions ?? []
        const ready = conditions.some(({ type, status: said }) => type === 'Ready' && said === 'True')
        const isData = base['kind'] === 'ConfigMap' && seen !== undefined
        const { spec: _spec, ...rest } = base
        return [
          name,
          { resource: base['kind'] === 'ConfigMap' ? rest : { ...base, spec }, ...((ready || isData) && { ready: 'READY_TRUE' }) },
        ]
      }),
    )
    return {
      ...response,
      desired: {
        composite: {
          ...desired?.composite,
          ...(status && { resource: { status } as Struct }),
          ...(publish && { connectionDetails: publish }),
        },
        resources: { ...desired?.resources, ...resources, ...response.desired?.resources },
      },
    }
  }
}
