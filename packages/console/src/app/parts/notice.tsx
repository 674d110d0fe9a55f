import type { ReactNode } from 'react'
import { sentenceOf } from '../session/api.ts'

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
      {sentenceOf(error)}
    </Notice>
  )
}

/** What a computation could not know, in sentences. */
export function Notes({ notes = [] }: { readonly notes?: readonly string[] | undefined }): ReactNode {
  return notes.map((note) => (
    <Notice key={note} tone="info">
      {note}
    </Notice>
  ))
}

export function Loading({ what }: { readonly what: string }): ReactNode {
  return (
    <p className="loading" role="status">
      Loading {what}…
    </p>
  )
}
