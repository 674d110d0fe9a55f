import { describe, expect, it } from 'vitest'
import { duplicateFields } from './parsed.ts'

describe('duplicateFields', () => {
  it('tells of each path once, however often it is repeated, as Go does', () => {
    const duplicates = ['spec.a.q', 'spec.a', 'spec.a.q']
    expect(duplicateFields({ value: {}, duplicates }, '').problems).toEqual(['duplicate field "spec.a.q"', 'duplicate field "spec.a"'])
  })
})
