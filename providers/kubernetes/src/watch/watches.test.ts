import type { WatchEvent } from '@weft/client'
import { eventually } from '@weft/testing'
import { describe, expect, it } from 'vitest'
import { type WatchedKind, Watches } from './watches.ts'

/** A kind whose changes a test makes up. */
function kindOf(key: string, cluster = 'c') {
  const state = { begun: 0, ended: 0, push: (_name: string): void => undefined, breakOff: (): void => undefined }
  const kind: WatchedKind = {
    key,
    cluster,
    async *follow(signal, opened) {
      state.begun++
      const queue: string[] = []
      let broken = false
      let wake = (): void => undefined
      state.push = (name) => {
        queue.push(name)
        wake()
      }
      state.breakOff = () => {
        broken = true
        wake()
      }
      signal.addEventListener('abort', () => wake())
      opened()
      try {
        while (!signal.aborted && !broken) {
          await new Promise<void>((resolve) => (queue.length > 0 ? resolve() : (wake = resolve)))
          const names = queue.splice(0)
          yield names.map((name): WatchEvent => ({ type: 'MODIFIED', object: { apiVersion: 'v1', kind: 'X', metadata: { name } } }))
        }
        if (broken) throw new Error('the connection broke')
      } finally {
        state.ended++
      }
    },
  }
  return { kind, state }
}

describe('Watches', () => {
  it('shares one watch, wakes only whom it concerns, and ends it with the last', async () => {
    const watches = new Watches()
    const { kind, state } = kindOf('k')
    const woken: string[] = []
    watches.follow('a', [{ kind, name: 'x' }], () => woken.push('a'))
    // Who comes when it is open is told that; who came before is woken, because something may have changed meanwhile.
    expect(watches.follow('b', [{ kind, name: 'y' }], () => woken.push('b'))).toBe(true)
    await eventually(() => expect(woken).toEqual(['a']))
    expect(watches.follow('a', [{ kind, name: 'x' }], () => woken.push('a'))).toBe(true)
    state.push('y')
    state.push('y')
    state.push('z')
    await eventually(() => expect(woken).toEqual(['a', 'b']))
    expect([state.begun, watches.size]).toEqual([1, 1])
    watches.stop('a')
    expect(watches.size).toBe(1)
    watches.stop('b')
    await eventually(() => expect([watches.size, state.ended]).toEqual([0, 1]))
  })

  it('tells everybody when it breaks off, follows again, and tells them again', async () => {
    const watches = new Watches()
    const { kind, state } = kindOf('k')
    let woken = 0
    watches.follow('a', [{ kind, name: 'x' }], () => woken++)
    await eventually(() => expect(woken).toBe(1))
    state.breakOff()
    await eventually(() => expect(woken).toBe(2))
    expect(watches.follow('a', [{ kind, name: 'x' }], () => woken++)).toBe(false)
    await eventually(() => expect([state.begun, woken]).toEqual([2, 3]))
    watches.close()
    await eventually(() => expect(state.ended).toBe(2))
  })

  it('turns with its owner to another kind, and leaves the first', async () => {
    const watches = new Watches()
    const first = kindOf('first')
    const second = kindOf('second')
    watches.follow('a', [{ kind: first.kind, name: 'x' }], () => undefined)
    await eventually(() => expect(first.state.begun).toBe(1))
    watches.follow('a', [{ kind: second.kind, name: 'x' }], () => undefined)
    await eventually(() => expect([first.state.ended, second.state.begun, watches.size]).toEqual([1, 1, 1]))
    watches.close()
  })

  it('has one owner follow several objects, and leaves those that it no longer names', async () => {
    const watches = new Watches()
    const [one, two] = [kindOf('one'), kindOf('two')]
    let woken = 0
    const wake = (): void => void woken++
    const all = [
      { kind: one.kind, name: 'x' },
      { kind: one.kind, name: 'y' },
      { kind: two.kind, name: 'z' },
    ]
    expect([watches.follow('a', all, wake), watches.size]).toEqual([true, 2])
    await eventually(() => expect(woken).toBeGreaterThan(0))
    for (const [{ state }, name] of [
      [one, 'y'],
      [two, 'z'],
      [one, 'x'],
    ] as const) {
      const before = woken
      state.push(name)
      await eventually(() => expect(woken).toBeGreaterThan(before))
    }
    watches.follow('a', all.slice(0, 1), wake)
    await eventually(() => expect([watches.size, two.state.ended]).toEqual([1, 1]))
    watches.stop('a')
    await eventually(() => expect([watches.size, one.state.ended]).toEqual([0, 1]))
  })

  it('opens no more than a cluster may have', () => {
    const watches = new Watches()
    const never: WatchedKind['follow'] = async function* (signal) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      yield []
    }
    for (let i = 0; i < 150; i++)
      watches.follow(`o${i}`, [{ kind: { key: `k${i}`, cluster: 'greedy', follow: never }, name: 'x' }], () => undefined)
    watches.follow('other', [{ kind: { key: 'other', cluster: 'other', follow: never }, name: 'x' }], () => undefined)
    expect(watches.size).toBe(101)
    watches.close()
  })
})
