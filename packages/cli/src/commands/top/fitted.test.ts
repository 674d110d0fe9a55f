import { expect, test } from 'vitest'
import { formatTable } from '../../output/index.ts'
import { fitted } from './fitted.ts'

const long = (end: string): string => `requirement/postgresqlinstancerequirements.database.example.org/${end}`
const rows = [
  ['CONTROLLER', 'RATE/S', 'TOTAL'],
  [long('first'), '0', '12'],
  [long('second'), '0', '7'],
  ...Array.from({ length: 30 }, (_, i) => [`managed/${i}`, '0', '1']),
]

test('lines are no wider than the screen, and names that begin alike still differ', () => {
  const shown = formatTable(fitted(rows, { columns: 60, rows: 100 }).rows)
    .trimEnd()
    .split('\n')
  expect(Math.max(...shown.map((line) => line.length))).toBeLessThanOrEqual(60)
  expect(shown[1]).toMatch(/^requirement.*….*first /)
  expect(shown[2]).toMatch(/^requirement.*….*second /)
  expect(shown).toHaveLength(rows.length)
})

test('no more lines than the screen has, and the rest is counted', () => {
  const { rows: shown, left } = fitted(rows, { columns: 200, rows: 20 })
  expect(shown).toHaveLength(16)
  expect(left).toBe(rows.length - 16)
  expect(shown[1]?.[0]).toBe(long('first'))
})

test('columns that can be done without leave room for the names, the least important first, and are told of', () => {
  const wide = [
    ['CONTROLLER', 'RATE/S', 'RUNNING', 'DELAYED'],
    [long('first'), '0', '1', '2'],
    [long('second'), '0', '1', '2'],
  ]
  const at = (columns: number) => fitted(wide, { columns, rows: 40 }, ['DELAYED', 'RUNNING'])
  expect(at(200).dropped).toEqual([])
  expect(at(65).dropped).toEqual(['DELAYED'])
  expect(at(54)).toMatchObject({ dropped: ['DELAYED', 'RUNNING'] })
  expect(at(54).rows[0]).toEqual(['CONTROLLER', 'RATE/S'])
  for (const columns of [54, 65, 80])
    for (const line of formatTable(at(columns).rows).trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
})
