import { describe, expect, it } from 'vitest'
import { Warnings } from './warnings.ts'

describe('Warnings', () => {
  it('tells each once, in order', () => {
    const warnings = new Warnings()
    for (const text of ['b', 'a', 'b', '']) warnings.add(text)
    expect(warnings.texts).toEqual(['b', 'a'])
  })

  it('cuts long ones once all together are too long, also those that came before', () => {
    const warnings = new Warnings()
    warnings.add('x'.repeat(4000))
    warnings.add('y'.repeat(4000))
    expect(warnings.texts.map((text) => text.length)).toEqual([256, 256])
  })

  it('takes no more than fit, however many there are', () => {
    const warnings = new Warnings()
    for (let i = 0; i < 80_000; i++) warnings.add(`unknown field "spec.k${i}"`)
    expect(warnings.isFull).toBe(true)
    expect(warnings.texts.join('').length).toBeLessThan(5000)
  })

  it('does not cut a character in two', () => {
    const warnings = new Warnings()
    warnings.add(`${'x'.repeat(255)}\u{1F600}${'y'.repeat(5000)}`)
    expect(warnings.texts).toEqual(['x'.repeat(255)])
  })
})
