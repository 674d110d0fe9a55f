import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KubeObject } from '@weft/api'
import { parseAllDocuments } from 'yaml'
import { ensureKro } from '../../test/kro/build.mjs'
import { startKro } from '../../test/kro/start-kro.ts'
import { nopResources } from '../managed/nop-resources.ts'
import { isReady } from '../plane/follower.ts'
import type { Subject } from '../plane/load.ts'
import { type Plane, startPlane, untilServed } from '../plane/plane.ts'
import { cpuSecondsOf } from '../plane/process-cpu.ts'
import { MEMBERS } from './world.ts'

const GRAPH_KIND = { group: 'kro.run', kind: 'ResourceGraphDefinition' }
const READY_MS = 120_000

/** The same as the composites of Weft, as a graph of kro: as many members of the same kind, each with the size of the whole. */
const graph: KubeObject = {
  apiVersion: 'kro.run/v1alpha1',
  kind: 'ResourceGraphDefinition',
  metadata: { name: 'benchgraphs' },
  spec: {
    schema: { apiVersion: 'v1alpha1', kind: 'BenchGraph', spec: { size: 'integer' } },
    resources: Array.from({ length: MEMBERS }, (_, i) => ({
      id: `member${i}`,
      readyWhen: [`\${member${i}.status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')}`],
      template: {
        apiVersion: 'nop.crossplane.io/v1alpha1',
        kind: 'NopResource',
        metadata: { name: `\${schema.metadata.name}-${i}` },
        spec: { forProvider: { fields: { position: i, size: '${schema.spec.size}', of: '${schema.metadata.name}' } } },
      },
    })),
  },
}

export const graphs: Subject = {
  kind: { group: 'kro.run', kind: 'BenchGraph' },
  object: (name) => ({
    apiVersion: 'kro.run/v1alpha1',
    kind: 'BenchGraph',
    metadata: { name, namespace: 'default' },
    spec: { size: 1 },
  }),
}

/** A control plane on which kro composes; its CPU counts with the server's. Undefined, with the reason, where there is no kro. */
export async function startKroPlane(): Promise<Plane | { readonly skipped: string }> {
  const built = await ensureKro()
  if ('skipped' in built) return built
  const plane = await startPlane({ args: ['--provider', 'nop'], kinds: [nopResources.kind] })
  for (const crd of await definitionsIn(built.crds)) await plane.client.create(crd)
  await untilServed(plane.client, GRAPH_KIND)
  const kro = startKro(built.kro, plane.process.kubeconfig)
  const stop = async (): Promise<void> => {
    await kro.stop()
    await plane.stop()
  }
  try {
    await plane.client.create(graph)
    await untilReady(plane)
    await untilServed(plane.client, graphs.kind)
  } catch (error) {
    await stop()
    throw new Error(`kro serves no graph: ${kro.output().slice(-2_000)}`, { cause: error })
  }
  return { ...plane, cpuSeconds: () => plane.cpuSeconds() + cpuSecondsOf(kro.child.pid ?? 0), stop }
}

async function definitionsIn(folder: string): Promise<readonly KubeObject[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml'))
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return texts
    .flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as KubeObject))
    .filter((object) => object !== null)
}

async function untilReady({ client }: Plane): Promise<void> {
  for (const deadline = Date.now() + READY_MS; ; await sleep(200)) {
    const found = await client.find(GRAPH_KIND, { name: 'benchgraphs' })
    if (found !== undefined && isReady(found)) return
    if (Date.now() > deadline) throw new Error(`the graph is not ready: ${JSON.stringify(found?.['status'])}`)
  }
}
