import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { roomIn } from './room-in.ts'

const listenersOf = (output: Writable): readonly number[] => ['drain', 'close', 'error'].map((event) => output.listenerCount(event))

it('a stream that was full a hundred times has no more listeners than before', async () => {
  const output = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => setImmediate(done) })
  const before = listenersOf(output)
  for (let i = 0; i < 100; i++) {
    expect(output.write('more than it takes')).toBe(false)
    await roomIn(output)
  }
  expect(listenersOf(output)).toEqual(before)
})

it('nobody waits for a stream that is closed', async () => {
  const output = new Writable({ highWaterMark: 1, write: () => undefined })
  output.write('never taken')
  const room = roomIn(output)
  output.destroy()
  await room
  expect(output.listenerCount('drain')).toBe(0)
})
