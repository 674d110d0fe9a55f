/** Does something with each, so many at a time, in their order. */
export async function forEachOf<T>(items: readonly T[], atOnce: number, act: (item: T) => Promise<unknown>): Promise<void> {
  let next = 0
  const work = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) await act(items[i] as T)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work))
}
