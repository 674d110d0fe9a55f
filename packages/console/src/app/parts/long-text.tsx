import { type ReactNode, useState } from 'react'

/** About three lines. */
const LONG = 300

/** What machines say may be a page long: of a long text the beginning is shown, and the rest when somebody wants it. */
export function LongText({ text = '' }: { readonly text: string | undefined }): ReactNode {
  const [isWhole, setWhole] = useState(false)
  if (text.length <= LONG || isWhole) return text
  return (
    <>
      {text.slice(0, LONG).trimEnd()}…{' '}
      <button type="button" className="more" onClick={() => setWhole(true)}>
        Show all
      </button>
    </>
  )
}
