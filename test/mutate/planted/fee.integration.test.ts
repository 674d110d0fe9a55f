import { expect, it } from 'vitest'
import { discounted, fee } from './fee.ts'

it('takes a fee for each week that has begun', () => {
  expect([0, 1, 7, 8].map(fee)).toEqual([0, 10, 10, 20])
})

it('halves it for members', () => {
  expect(discounted(10, true)).toBe(5)
})
