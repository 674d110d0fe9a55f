import { useEffect } from 'react'
import type { Api } from '../api/api.ts'
import { type Draft, draftsOf } from './drafts.ts'

/** Keeps what was typed when the page goes, and lets the browser ask before it closes on it. Undefined: there is nothing to keep. */
export function useDraft(api: Api, path: string, draft: Draft | undefined): void {
  useEffect(() => {
    if (draft === undefined) draftsOf(api).delete(path)
    else draftsOf(api).set(path, draft)
  }, [api, path, draft])
  const isUnsaved = draft !== undefined
  useEffect(() => {
    if (!isUnsaved) return
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isUnsaved])
}
