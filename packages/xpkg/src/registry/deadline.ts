import { PackageError } from '../package-error.ts'
import type { RegistryOptions } from './registry-options.ts'

const DEFAULT_TIMEOUT_MS = 120_000

/** Runs an operation that ends at its deadline or when its caller gives up, whatever the registry does. */
export async function withDeadline<T>(
  { timeoutMs = DEFAULT_TIMEOUT_MS, signal }: RegistryOptions,
  what: string,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController()
  const timer = setTimeout(
    () => deadline.abort(new PackageError('Unavailable', `${what} took longer than ${timeoutMs / 1000} s; the registry is too slow`)),
    timeoutMs,
  )
  const onAbort = (): void => deadline.abort(new PackageError('Unavailable', `${what} was given up`, { cause: signal?.reason }))
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await run(deadline.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}
