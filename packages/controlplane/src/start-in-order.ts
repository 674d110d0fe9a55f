/**
 * Starts something step by step. `assemble` adds to `started` how each step is undone; they are undone in reverse when a later step fails,
 * or when `stopAll` is called.
 */
export async function startInOrder<T>(
  assemble: (started: (() => Promise<void>)[], stopAll: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const started: (() => Promise<void>)[] = []
  const stopAll = async (): Promise<void> => {
    for (const stop of started.splice(0).reverse()) await stop()
  }
  try {
    return await assemble(started, stopAll)
  } catch (error) {
    await stopAll().catch(() => undefined)
    throw error
  }
}
