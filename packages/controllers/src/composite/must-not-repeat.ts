import { gvkOf, type KubeObject, parseGroupVersion } from '@weft/api'
import type { Client } from '@weft/client'
import { controllerOf } from '@weft/composition'
import { describeObject } from '../binding/claimant.ts'
import { CompositeError } from './composite-error.ts'
import { composedBy } from './record.ts'

/** Composites within composites; nobody means to go deeper. */
const MAX_DEPTH = 32

/**
 * A composite inside one of its own kind that the same Composition composes would compose another such, and so on for ever. Refused, as is any
 * nesting that goes too deep. Rejects with a CompositeError Cycle.
 */
export async function mustNotRepeat(client: Client, composite: KubeObject, composition: string): Promise<void> {
  const { group, kind } = gvkOf(composite)
  const path = [describeObject(composite)]
  for (let owner = controllerOf(composite); owner !== undefined;) {
    const { group: ownerGroup, version } = parseGroupVersion(owner.apiVersion)
    const ancestor: KubeObject | undefined = await client.find(
      { group: ownerGroup, version, kind: owner.kind },
      { name: owner.name, namespace: composite.metadata.namespace },
    )
    if (ancestor === undefined || ancestor.metadata.uid !== owner.uid) return
    path.push(describeObject(ancestor))
    if (owner.kind === kind && ownerGroup === group && composedBy(ancestor) === composition)
      throw new CompositeError('Cycle', `Composition ${composition} composes itself endlessly: ${path.toReversed().join(' → ')}`)
    if (path.length > MAX_DEPTH)
      throw new CompositeError(
        'Cycle',
        `composites are nested more than ${MAX_DEPTH} deep: ${path.toReversed().slice(0, 5).join(' → ')} → …`,
      )
    owner = controllerOf(ancestor)
  }
}
