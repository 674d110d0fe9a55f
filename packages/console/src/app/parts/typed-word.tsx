import { type ReactNode, useId } from 'react'

interface TypedWordProps {
  readonly word: string
  /** What typing it leads to: "delete it". */
  readonly to: string
  readonly typed: string
  readonly onType: (typed: string) => void
}

/** What cannot be undone is confirmed by typing a word, which nobody does by a slip. */
export function TypedWord({ word, to, typed, onType }: TypedWordProps): ReactNode {
  const field = useId()
  return (
    <div className="field">
      <label htmlFor={field}>
        Type <strong>{word}</strong> to {to}
      </label>
      <input id={field} autoComplete="off" spellCheck={false} value={typed} onChange={(event) => onType(event.target.value)} />
    </div>
  )
}
