import type { ReactNode } from 'react'
import type { Knowledge } from '../live/knowledge.ts'
import { Loading, Notice } from './notice.tsx'

export interface NothingProps {
  readonly knowledge: Knowledge
  /** `classes` */
  readonly what: string
  /** What is said when there is none for certain. */
  readonly children: ReactNode
}

/** Where a list would stand that has nothing in it: why that is so. */
export function Nothing({ knowledge, what, children }: NothingProps): ReactNode {
  switch (knowledge.phase) {
    case 'loading':
      return <Loading what={what} />
    case 'refused':
      return <p className="calm">You may not see {what}.</p>
    case 'failed':
      return (
        <Notice tone="problem">
          <strong>{what.charAt(0).toUpperCase() + what.slice(1)} cannot be read: </strong>
          {knowledge.why} Trying again.
        </Notice>
      )
    case 'known':
      return <p className="calm">{children}</p>
  }
}
