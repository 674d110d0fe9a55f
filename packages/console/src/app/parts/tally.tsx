import type { ReactNode } from 'react'
import type { Knowledge } from '../live/knowledge.ts'

export interface TallyProps {
  readonly knowledge: Knowledge
  /** How many have come so far. */
  readonly of: number
}

/** How many there are, beside a heading: a number only when it is the number, and what has come so far while more may come. */
export function Tally({ knowledge, of }: TallyProps): ReactNode {
  if (knowledge.phase === 'known') return <span className="pill">{of}</span>
  return of === 0 ? null : <span className="pill">{knowledge.phase === 'loading' ? `${of} so far…` : of}</span>
}
