import type { Figure } from '../plane/figures.ts'
import { revisionOf } from '../plane/load.ts'
import type { Plane } from '../plane/plane.ts'
import { nopResources } from './nop-resources.ts'

/** What a control plane costs when nobody wants anything of it. It polls external resources, and writes nothing. */
export async function idle(plane: Plane, label: string, seconds: number): Promise<Figure & { readonly cpuShare: number }> {
  const [revision, cpu] = [await revisionOf(plane, nopResources.kind), plane.cpuSeconds()]
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  const cpuShare = (plane.cpuSeconds() - cpu) / seconds
  const writes = (await revisionOf(plane, nopResources.kind)) - revision
  return { label, cpuShare, values: { 'CPU s in 20 s': cpuShare * 20, '% of a core': cpuShare * 100, writes } }
}
