import { useEffect, useState } from 'react'
import { browserTiming, pauseBefore, type WatchStream } from '../live/watch-stream.ts'
import { useConsole } from './console.tsx'

/** What a feed told last; it stays while the connection is made again. */
export interface Fed<T> {
  readonly value: T | undefined
  /** Why there is none, or no newer one: the server said so. */
  readonly problem: string | undefined
}

const NOTHING: Fed<never> = { value: undefined, problem: undefined }

/** An answer of the console's server, live while the component is there; see the contract. Without a path nothing is asked for. */
export function useFeed<T>(path: string | undefined): Fed<T> {
  const { stream } = useConsole()
  return useFeedOver<T>(stream, path)
}

/** The same where there is no console yet. */
export function useFeedOver<T>(stream: WatchStream | undefined, path: string | undefined): Fed<T> {
  const [fed, setFed] = useState<{ readonly path: string | undefined; readonly last: Fed<T> }>({ path, last: NOTHING })
  useEffect(() => {
    if (stream === undefined || path === undefined) return
    const stop = new AbortController()
    void follow<T>(stream, path, stop.signal, (last) =>
      setFed((before) => ({ path, last: { ...(before.path === path && before.last), ...last } as Fed<T> })),
    )
    return () => stop.abort()
  }, [stream, path])
  return fed.path === path ? fed.last : NOTHING
}

async function follow<T>(stream: WatchStream, path: string, signal: AbortSignal, tell: (fed: Partial<Fed<T>>) => void): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    const status = await new Promise<string | undefined>((resolve) => {
      const close = stream.watch(path, {
        onEvent: ({ object }) => {
          failures = 0
          tell({ value: object as unknown as T, problem: undefined })
        },
        onEnd: (end) => resolve(end.status?.message),
      })
      signal.addEventListener('abort', () => (close(), resolve(undefined)), { once: true })
    })
    if (signal.aborted) return
    if (status !== undefined) tell({ problem: status })
    await browserTiming.sleep(pauseBefore(failures, browserTiming.random()), signal)
  }
}
