import { setTimeout as sleep } from 'node:timers/promises'
import type { KubeObject } from '@weft/api'
import { type Client, NoMatchError } from '@weft/client'

const DEFINITIONS = 'apiextensions.crossplane.io/v1alpha1'
const COMPOSITE = { group: 'bench.example.org', kind: 'BenchGraph' }
export const MEMBER = { group: 'nop.crossplane.io', kind: 'NopResource' }
export const GRAPH_PAGE = '/objects/bench.example.org/benchgraphs/-/graph'
const PAUSED = 'crossplane.io/paused'
const SETTLED_MS = 300_000

/** One composite of many managed resources, each with its external resource. */
const objects = (members: number): readonly KubeObject[] => [
  {
    apiVersion: DEFINITIONS,
    kind: 'InfrastructureDefinition',
    metadata: { name: 'benchgraphs.bench.example.org' },
    spec: {
      crdSpecTemplate: {
        group: COMPOSITE.group,
        version: 'v1alpha1',
        names: { kind: COMPOSITE.kind, plural: 'benchgraphs' },
        validation: { openAPIV3Schema: { type: 'object', properties: {} } },
      },
    },
  },
  {
    apiVersion: DEFINITIONS,
    kind: 'Composition',
    metadata: { name: 'graph' },
    spec: {
      from: { apiVersion: 'bench.example.org/v1alpha1', kind: COMPOSITE.kind },
      to: Array.from({ length: members }, (_, i) => ({
        base: {
          apiVersion: 'nop.crossplane.io/v1alpha1',
          kind: 'NopResource',
          metadata: { labels: { position: String(i) } },
          spec: { forProvider: { fields: { position: i } } },
        },
      })),
    },
  },
  {
    apiVersion: 'bench.example.org/v1alpha1',
    kind: COMPOSITE.kind,
    metadata: { name: 'graph' },
    spec: { infrastructure: { compositionRef: { name: 'graph' } } },
  },
]

/** Makes it, waits until all of it is ready, and answers the names of the members. The composite is left alone then: only members change. */
export async function makeGraph(client: Client, members: number): Promise<readonly string[]> {
  for (const object of objects(members)) await whenServed(() => client.apply(object))
  for (const deadline = Date.now() + SETTLED_MS; ;) {
    const { items } = await client.list(MEMBER)
    if (items.length === members && items.every(isReady)) {
      await pause(client, COMPOSITE, 'graph', true)
      return items.map(({ metadata }) => metadata.name ?? '')
    }
    if (Date.now() > deadline) throw new Error(`${items.filter(isReady).length} of ${members} members are ready after five minutes`)
    await sleep(250)
  }
}

/** A change that the graph shows: paused, and back. */
export function pause(client: Client, kind: { group: string; kind: string }, name: string, paused: boolean): Promise<unknown> {
  return client.patch(kind, { name }, { type: 'merge', body: { metadata: { annotations: { [PAUSED]: paused ? 'true' : null } } } })
}

function isReady({ status }: KubeObject): boolean {
  const { conditions = [] } = (status ?? {}) as { conditions?: readonly { type: string; status: string }[] }
  return conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True')
}

async function whenServed(apply: () => Promise<unknown>): Promise<void> {
  for (const deadline = Date.now() + SETTLED_MS; ;) {
    try {
      return void (await apply())
    } catch (error) {
      if (!(error instanceof NoMatchError) || Date.now() > deadline) throw error
      await sleep(100)
    }
  }
}
