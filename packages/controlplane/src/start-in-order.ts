/** Whoever waits for a start that failed shall be told, even if a step cannot be undone. */
const UNDO_MS = 10_000

/**
 * Starts something step by step. `assemble` adds to `started` how each step is undone; they are undone in reverse when a later step fails,
 * or when `stopAll` is called.
 */
export async function startInOrder<T>(
  assemble: (started: (() => Promise<void>)[], stopAll: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const started: (() => Promise<void>)[] = []
  const stopAll = async (): Promise<void> => {
    const failures: unknown[] = []
    // One that fails must not keep the others from being undone: what is left running would keep the process alive.
    for (const stop of started.splice(0).reverse()) await stop().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
  try {
    return await assemble(started, stopAll)
  } catch (error) {
    await within(UNDO_MS, stopAll()).catch(() => undefined)
    throw error
  }
}

async function within(millis: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, millis)))
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
