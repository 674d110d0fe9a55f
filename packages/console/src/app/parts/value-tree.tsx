import { isJsonObject } from '@weft/api'
import { type ReactNode, useState } from 'react'
import { count } from '../objects/words.ts'
import { CopyButton } from './copy-button.tsx'

/** Deeper than this everything is closed at first, and drawn only when it is opened. */
const OPEN_DEPTH = 2
/** A list that is longer is shown in parts. */
const MOST_AT_ONCE = 100

export interface ValueTreeProps {
  readonly value: unknown
  /** Where it is: `spec`. */
  readonly path: string
  readonly depth?: number
}

/** What an object says, to be read: every field with its value, what is nested can be closed, every value can be copied. */
export function ValueTree({ value, path, depth = 0 }: ValueTreeProps): ReactNode {
  const [shown, setShown] = useState(MOST_AT_ONCE)
  const entries = entriesOf(value)
  return (
    <ul className="values">
      {entries.slice(0, shown).map(([key, child, label]) => (
        <li key={key}>
          <Entry label={label} value={child} path={Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`} depth={depth} />
        </li>
      ))}
      {entries.length > shown && (
        <li>
          <button type="button" className="small" onClick={() => setShown(shown + MOST_AT_ONCE)}>
            Show {Math.min(MOST_AT_ONCE, entries.length - shown)} more of {entries.length}
          </button>
        </li>
      )}
    </ul>
  )
}

type Shown = readonly [key: string, value: unknown, label: string]

function entriesOf(value: unknown): readonly Shown[] {
  if (Array.isArray(value)) return value.map((each: unknown, i) => [String(i), each, labelOf(each, i)])
  return isJsonObject(value) ? Object.entries(value).map(([key, each]) => [key, each, key]) : []
}

/** Elements of a list are told apart by what people call them, where they have such a field. */
function labelOf(element: unknown, index: number): string {
  if (isJsonObject(element))
    for (const field of ['name', 'type', 'kind', 'key', 'step'])
      if (typeof element[field] === 'string' && element[field] !== '') return element[field]
  return String(index + 1)
}

interface EntryProps {
  readonly label: string
  readonly value: unknown
  readonly path: string
  readonly depth: number
}

function Entry({ label, value, path, depth }: EntryProps): ReactNode {
  const [open, setOpen] = useState(depth < OPEN_DEPTH)
  const size = Array.isArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : undefined
  if (size === undefined || size === 0)
    return (
      <>
        <span className="value-key">{label}</span> <Leaf value={value} /> <CopyButton text={textOf(value)} what={path} />
      </>
    )
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="value-key">{label}</span>{' '}
        <span className="muted">{Array.isArray(value) ? count(size, 'element') : count(size, 'field')}</span>
      </summary>
      {open && <ValueTree value={value} path={path} depth={depth + 1} />}
    </details>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Only what leads to a web page, and nothing that a browser would run. */
const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s]+$/.test(text)

export function Leaf({ value }: { readonly value: unknown }): ReactNode {
  if (typeof value !== 'string') return <code className="value value-other">{Array.isArray(value) ? 'empty list' : textOf(value)}</code>
  if (value === '') return <span className="muted">empty text</span>
  if (isWebAddress(value))
    return (
      <a className="value" href={value} target="_blank" rel="noreferrer noopener">
        {value}
      </a>
    )
  return <span className="value">{value}</span>
}
