import { expect } from 'vitest'
import { startWeft, type WeftProcess } from '../weft-process.ts'

/** An API that stores what a cluster does, and on which nobody has installed Weft yet. */
export const startCluster = (): Promise<WeftProcess> => startWeft({ args: ['--api-only', '--serve', 'all'] })

/** What Weft's pods would be made of. `weft` runs the command against the cluster and answers what it printed. */
export async function expectDeployed(weft: (...args: string[]) => Promise<string>, image: string): Promise<void> {
  const deployments = JSON.parse(await weft('get', 'deployments', '-n', 'crossplane-system', '-o', 'json')) as {
    items: Record<string, any>[]
  }
  const images = deployments.items.flatMap(({ spec }) => (spec.template.spec.containers as { image: string }[]).map((each) => each.image))
  expect(images).toEqual([image])
}
