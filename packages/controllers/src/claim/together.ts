/**
 * Does independent things at once, as their writes may share one commit, and waits for all of them even when one fails: nothing goes on behind the
 * caller's back. Rejects with the first failure, in the order given.
 */
export async function together<T extends readonly unknown[]>(...work: { readonly [K in keyof T]: Promise<T[K]> }): Promise<T> {
  const outcomes = await Promise.allSettled(work as readonly Promise<unknown>[])
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }) as unknown as T
}
