import { createHash } from 'node:crypto'
import { findCondition, type KubeObject } from '@weft/api'
import { type Client, customResourceDefinitionKind } from '@weft/client'
import { eventually, waitFor } from './eventually.ts'

/** Marks kinds that stay from one test to the next, with what they say: to make dozens anew takes a real server seconds. */
export const KEPT = 'test.weft.dev/kept'

/** Makes custom kinds, and resolves when they are served. */
export async function installKinds(client: Client, kinds: readonly KubeObject[]): Promise<void> {
  await Promise.all(kinds.map((kind) => client.create(kind)))
  for (const { metadata } of kinds) {
    const crd = await waitFor(
      client,
      customResourceDefinitionKind,
      { name: metadata.name ?? '' },
      (object) => findCondition(object?.status?.conditions, 'Established')?.status === 'True',
    )
    // A real server tells of a kind a moment after it has established it.
    const { group, names, versions = [] } = crd?.spec ?? {}
    if (group !== undefined && names !== undefined && versions.some(({ served }) => served))
      await eventually(() => client.mapping({ group, kind: names.kind }))
  }
}

/** A definition that is kept until a test wants others. */
export function kept(kind: KubeObject): KubeObject {
  const content = createHash('sha256').update(JSON.stringify(kind)).digest('hex').slice(0, 32)
  return { ...kind, metadata: { ...kind.metadata, labels: { ...kind.metadata.labels, [KEPT]: content } } }
}
