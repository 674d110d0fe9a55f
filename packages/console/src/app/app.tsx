import { useQueryClient } from '@tanstack/react-query'
import { messageOf, StatusError } from '@weft/api'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import type { Session, SignIn } from '../contract.ts'
import { SignInPage } from './pages/sign-in/sign-in-page.tsx'
import { Loading } from './parts/notice.tsx'
import { createApi } from './api/api.ts'
import { ConsoleProvider } from './session/console.tsx'
import { Shell } from './shell/shell.tsx'

/**
 * asking: is there a session? The one-time code, if any, is used now. out: sign in; `why` is what went wrong, if anything. in: everything
 * else; falls back to out when the session ends.
 */
type SessionState =
  | { readonly phase: 'asking' }
  | { readonly phase: 'out'; readonly why?: string }
  | { readonly phase: 'in'; readonly session: Session }

const SESSION = '/console/session'

export function App({ code }: { readonly code: string | undefined }): ReactNode {
  const [state, setState] = useState<SessionState>({ phase: 'asking' })
  const queries = useQueryClient()
  const csrfToken = state.phase === 'in' ? state.session.csrfToken : ''
  const expired = useCallback(
    () => setState((before) => (before.phase === 'in' ? { phase: 'out', why: 'Your session has ended: sign in again.' } : before)),
    [],
  )
  const api = useMemo(() => createApi({ csrfToken, onExpired: expired }), [csrfToken, expired])

  const enter = useCallback(
    async (how: SignIn) => {
      const session = await createApi({ csrfToken: '', onExpired: () => undefined }).send<Session>('POST', SESSION, how)
      queries.clear()
      setState({ phase: 'in', session })
    },
    [queries],
  )

  useEffect(() => {
    const begin = async (): Promise<void> => {
      try {
        if (code !== undefined) return await enter({ code })
        setState({ phase: 'in', session: await createApi({ csrfToken: '', onExpired: () => undefined }).get<Session>(SESSION) })
      } catch (error) {
        const expected = code === undefined && error instanceof StatusError && error.code === 401
        setState({ phase: 'out', ...(!expected && { why: messageOf(error) }) })
      }
    }
    void begin()
  }, [code, enter])

  const signOut = useCallback(() => {
    const leave = (): void => {
      queries.clear()
      setState({ phase: 'out' })
    }
    void api.send('DELETE', SESSION).then(leave, leave)
  }, [api, queries])

  switch (state.phase) {
    case 'asking':
      return (
        <main className="alone">
          <Loading what="the console" />
        </main>
      )
    case 'out':
      return <SignInPage why={state.why} onToken={(token, namespace) => enter({ token, namespace })} />
    case 'in':
      return (
        <ConsoleProvider session={state.session} api={api} signOut={signOut}>
          <Shell />
        </ConsoleProvider>
      )
  }
}
