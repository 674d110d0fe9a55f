import type { ReactNode } from 'react'
import { type NodeState, STATE_WORDS } from '../../world/state.ts'

const MARKS: Readonly<Record<NodeState, string>> = {
  ready: '●',
  waiting: '◐',
  failed: '▲',
  deleting: '✕',
  missing: '○',
  paused: '❚❚',
  hidden: '?',
  external: '◆',
}

/** A state by mark, word and colour: never by colour alone. */
export function StateBadge({ state }: { readonly state: NodeState | undefined }): ReactNode {
  if (state === undefined) return null
  return (
    <span className={`state state-${state}`}>
      <span aria-hidden="true">{MARKS[state]}</span> {STATE_WORDS[state]}
    </span>
  )
}
