import { expect, it } from 'vitest'
import { abortable } from './abortable.ts'

it('any number of requests may wait for one signal, and nobody is warned of a leak', async () => {
  const stop = new AbortController()
  const warnings: string[] = []
  const onWarning = ({ name }: Error): void => void warnings.push(name)
  process.on('warning', onWarning)
  const waiting = Array.from({ length: 40 }, () => abortable(new Promise<never>(() => undefined), stop.signal))
  const ended = Promise.allSettled(waiting)
  // Node warns in a later turn.
  await new Promise((resolve) => setImmediate(resolve))
  stop.abort(new Error('enough'))
  expect((await ended).every((each) => each.status === 'rejected')).toBe(true)
  process.off('warning', onWarning)
  expect(warnings).toEqual([])
})
