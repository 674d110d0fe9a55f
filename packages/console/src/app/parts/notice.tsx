import { messageOf } from '@weft/api'
import type { ReactNode } from 'react'
import { count } from '../objects/words.ts'

/** A sentence that the user should not miss; `problem` interrupts, the others wait their turn. */
export function Notice({ tone, children }: { readonly tone: 'info' | 'warning' | 'problem'; readonly children: ReactNode }): ReactNode {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'problem' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}

export function Failure({ error, doing }: { readonly error: unknown; readonly doing?: string }): ReactNode {
  if (error === null || error === undefined) return null
  return (
    <Notice tone="problem">
      {doing !== undefined && <strong>{doing}: </strong>}
      {messageOf(error)}
    </Notice>
  )
}

/** What a computation could not know, in sentences. */
export function Notes({ notes = [] }: { readonly notes?: readonly string[] | undefined }): ReactNode {
  if (notes.length === 0) return null
  return (
    <details className="notes">
      <summary>{count(notes.length, 'note')}</summary>
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  )
}

export function Loading({ what }: { readonly what: string }): ReactNode {
  return (
    <p className="loading" role="status">
      Loading {what}…
    </p>
  )
}
