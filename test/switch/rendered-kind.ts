import type { KubeObject } from '@weft/api'
import { customResourceDefinitionKind } from '@weft/client'
import { startControlPlane, waitFor } from '@weft/testing'
import { smallWorld } from './small-world.ts'

/** The kind of ponds, as a definition makes it. */
export async function renderedKind(): Promise<KubeObject> {
  const plane = await startControlPlane()
  try {
    const [xrd] = smallWorld({ apiVersion: '', kind: '', metadata: {} }).filter(({ kind }) => kind === 'CompositeResourceDefinition')
    if (xrd === undefined) throw new Error('there is no definition')
    await plane.client.create({
      apiVersion: xrd.apiVersion,
      kind: xrd.kind,
      metadata: { name: xrd.metadata.name ?? '' },
      spec: xrd['spec'],
    } as KubeObject)
    const made = await waitFor(
      plane.client,
      customResourceDefinitionKind,
      { name: xrd.metadata.name ?? '' },
      (crd) => crd?.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true,
    )
    if (made === undefined) throw new Error('it was not made')
    return made
  } finally {
    await plane.stop()
  }
}
