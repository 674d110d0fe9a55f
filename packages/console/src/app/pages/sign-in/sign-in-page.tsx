import { messageOf } from '@weft/api'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Notice } from '../../parts/notice.tsx'

export interface SignInPageProps {
  readonly why: string | undefined
  readonly onToken: (token: string, namespace: string) => Promise<void>
}

export function SignInPage({ why, onToken }: SignInPageProps): ReactNode {
  const [problem, setProblem] = useState(why)
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const place = useRef<HTMLInputElement>(null)
  useEffect(() => {
    document.title = 'Sign in · Weft'
    field.current?.focus()
  }, [])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const token = field.current?.value.trim() ?? ''
    if (token === '') return setProblem('Paste a token first.')
    setBusy(true)
    setProblem(undefined)
    onToken(token, place.current?.value.trim() ?? '').catch((error: unknown) => {
      setBusy(false)
      setProblem(messageOf(error))
      field.current?.focus()
    })
  }
  return (
    <main className="alone">
      <form className="card sign-in" onSubmit={submit}>
        <h1>Sign in to Weft</h1>
        <p>
          Open the one-time link that <code>weft up</code> or <code>weft console</code> printed, or paste a token of the Kubernetes API. You
          will see and do what that user may.
        </p>
        {problem !== undefined && <Notice tone="problem">{problem}</Notice>}
        <label htmlFor="token">Token</label>
        <textarea id="token" name="token" ref={field} rows={4} spellCheck={false} autoComplete="off" className="secret" />
        <label htmlFor="place">
          Namespace <span className="muted">(if you work in one only)</span>
        </label>
        <input id="place" name="namespace" ref={place} autoComplete="off" spellCheck={false} />
        <button type="submit" className="primary" disabled={busy}>
          {busy ? 'Signing in…' : 'Sign in'}
        </button>
        <p className="muted">
          A token lives in this tab only until it is sent; then the server keeps a session, and the browser a cookie that scripts cannot
          read. The <a href="/docs/access.html">manual</a> says how to get one.
        </p>
      </form>
    </main>
  )
}
