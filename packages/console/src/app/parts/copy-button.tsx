import { type ReactNode, useEffect, useState } from 'react'

const SAID_MS = 2000

/** Puts a text where it can be pasted from. `what`: of the text, for those who hear the page: `the name`. */
export function CopyButton({ text, what, children }: CopyButtonProps): ReactNode {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), SAID_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = (): void => {
    // Absent where the page is not served securely; refused where the browser was told so.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
    written.then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    )
  }
  const isLabelled = children !== undefined
  return (
    <button
      type="button"
      className={isLabelled ? undefined : 'copy'}
      aria-label={isLabelled ? undefined : `Copy ${what}`}
      title={isLabelled ? undefined : `Copy ${what}`}
      onClick={copy}
    >
      {outcome === 'failed' ? 'Not copied' : outcome === 'copied' ? '✓' : (children ?? <CopyMark />)}
      <span className="unseen" role="status">
        {outcome === 'copied' ? `Copied ${what}` : outcome === 'failed' ? 'The browser does not let this page copy' : ''}
      </span>
    </button>
  )
}

/** Two sheets. Drawn: not every font has such a sign. */
function CopyMark(): ReactNode {
  return (
    <svg viewBox="0 0 16 16" width="13" height="13" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="1.4">
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
    </svg>
  )
}

interface CopyButtonProps {
  readonly text: string
  readonly what: string
  /** What the button says; a mark when absent. */
  readonly children?: ReactNode
}
