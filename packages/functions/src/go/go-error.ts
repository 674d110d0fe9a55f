/** An error of a Go program: its words, and whether it says that a field is not there. Wrapping keeps that. */
export class GoError extends Error {
  readonly isNotFound: boolean
  constructor(message: string, { isNotFound = false }: { isNotFound?: boolean } = {}) {
    super(message)
    this.name = 'GoError'
    this.isNotFound = isNotFound
  }
}

/** errors.Wrap: says before the words of whatever goes wrong in `work` what was being done. */
export function wrapping<T>(doing: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof GoError) throw new GoError(`${doing}: ${error.message}`, error)
    throw error
  }
}

/** The value, or the error thrown. */
export function must<T>(result: { readonly value: T } | { readonly error: string }): T {
  if ('error' in result) throw new GoError(result.error)
  return result.value
}
