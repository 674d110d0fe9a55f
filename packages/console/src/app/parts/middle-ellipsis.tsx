import type { ReactNode } from 'react'

/** What tells siblings apart stands at the end: `team-a-orders-d9x5v`. */
const TAIL = 9

/** A name that loses its middle where there is no room for all of it. */
export function MiddleEllipsis({ text }: { readonly text: string }): ReactNode {
  if (text.length <= 2 * TAIL) return <span>{text}</span>
  return (
    <span className="middle-ellipsis" title={text}>
      <span className="middle-head">{text.slice(0, -TAIL)}</span>
      <span className="middle-tail">{text.slice(-TAIL)}</span>
    </span>
  )
}
