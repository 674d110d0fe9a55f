import type { KubeObject } from '@weft/api'
import { type ReactNode, useMemo } from 'react'
import { traceKey } from '@weft/composition'
import { ownersOf } from '../../objects/owners.ts'
import { ObjectLink } from '../../parts/object-link.tsx'
import { useWorld } from '../../session/console.tsx'

/** What it was made for, from the top down to itself. */
export function Owners({ object }: { readonly object: KubeObject }): ReactNode {
  const world = useWorld()
  const owners = useMemo(() => ownersOf(world, object), [world, object])
  if (owners.length === 0) return null
  return (
    <nav className="owners" aria-label="Made for">
      <ol>
        {owners.map((owner) => (
          <li key={traceKey(owner)}>
            <ObjectLink object={owner} />
          </li>
        ))}
        <li aria-current="page">
          {object.kind} {object.metadata.name}
        </li>
      </ol>
    </nav>
  )
}
