import type { ReactNode } from 'react'
import type { PlannedKind } from '../../objects/package-plan.ts'
import { count } from '../../objects/words.ts'

const WORDS = { comes: 'comes', stays: 'stays', goes: 'goes' } as const
/** A provider of a large cloud brings a thousand. */
const MOST = 100

/** Kinds that are added or removed, those that objects are of in words that nobody overlooks. */
export function PlannedKinds({ kinds }: { readonly kinds: readonly PlannedKind[] }): ReactNode {
  if (kinds.length === 0) return <p className="calm">The package contains no kinds.</p>
  return (
    <ul className="planned-kinds" aria-label="Kinds that are added or removed">
      {kinds.slice(0, MOST).map(({ group, kind, change, objects }) => (
        <li key={`${kind}.${group}`} className={`planned-${change}`}>
          <span className="pill">{WORDS[change]}</span> {kind} <span className="muted">{group}</span>{' '}
          {objects === undefined ? (
            <span className="muted">objects not visible here</span>
          ) : (
            objects > 0 && <strong>{count(objects, 'object')}</strong>
          )}
        </li>
      ))}
      {kinds.length > MOST && <li className="muted">And {kinds.length - MOST} more.</li>}
    </ul>
  )
}
