import type { TraceNode } from '@weft/composition'
import { expect, it } from 'vitest'
import { formatTree } from './format-trace.ts'

const ref = (kind: string, name: string) => ({ apiVersion: 'example.org/v1', kind, name })
const ready = { type: 'Ready', status: 'True', reason: 'Available' } as const
const tree: TraceNode = {
  ref: ref('Fleet', 'team-a-fleet-x7k2p'),
  state: 'ready',
  ready,
  children: [
    { ref: ref('NopResource', 'team-a-fleet-x7k2p-4tgl9'), state: 'ready', ready, externalName: 'team-a-fleet-x7k2p-4tgl9', children: [] },
  ],
}

const linesIn = (columns: number | undefined, wide = false): readonly string[] =>
  formatTree(tree, { owners: [], wide, columns }).trimEnd().split('\n')

it('on a narrow terminal external names make room, so that no line of the tree is broken, and it says so', () => {
  const lines = linesIn(80)
  expect(lines.every((line) => line.length <= 80)).toBe(true)
  expect(lines.slice(0, -1).join('\n')).not.toContain('EXTERNAL-NAME')
  expect(lines.at(-1)).toMatch(/wider terminal shows EXTERNAL-NAME/)
})

it.each([
  { columns: 120, wide: false, where: 'on a terminal with room' },
  { columns: undefined, wide: false, where: 'in a pipe' },
  { columns: 80, wide: true, where: 'with -o wide' },
])('$where external names are shown', ({ columns, wide }) => {
  const lines = linesIn(columns, wide)
  expect(lines.join('\n')).toContain('EXTERNAL-NAME')
  expect(lines.at(-1)).not.toMatch(/wider terminal/)
})

it('what nobody has makes room without a word', () => {
  const claim: TraceNode = { ...tree, children: [] }
  const text = formatTree(claim, { owners: [], wide: false, columns: 60 })
  expect(text).not.toMatch(/EXTERNAL-NAME/)
})
