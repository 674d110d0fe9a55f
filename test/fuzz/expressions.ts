import { bindValue, CelCostExceeded, CelRuntimeError, compile, DYN, KUBERNETES_ENVIRONMENT } from '@weft/cel'
import type { Draw } from './draw.ts'
import { FuzzFinding, type FuzzTarget } from './target.ts'

const ENVIRONMENT = KUBERNETES_ENVIRONMENT.withVariables({ self: DYN })

/** CEL: an expression is refused in words or runs within its budget; nothing else. */
export const celTarget: FuzzTarget = {
  name: 'cel',
  run(draw, note) {
    const source = draw.chance(0.2) ? draw.garbled(expression(draw, 4)) : expression(draw, 4)
    note(source)
    const { program } = compile(source, ENVIRONMENT)
    if (program === undefined) return
    try {
      program.evaluate({ self: bindValue(draw.json(3)) }, { budget: 1_000_000 })
    } catch (error) {
      if (!(error instanceof CelRuntimeError || error instanceof CelCostExceeded))
        throw new FuzzFinding(`${String(error)}\n${error instanceof Error ? (error.stack ?? '') : ''}`)
    }
  },
}

const CALLS = ['size', 'string', 'int', 'double', 'type', 'dyn', 'bytes', 'duration', 'timestamp', 'quantity', 'url', 'ip', 'cidr', 'has']
const METHODS = [
  'startsWith',
  'matches',
  'contains',
  'split',
  'replace',
  'lowerAscii',
  'indexOf',
  'join',
  'sum',
  'min',
  'isSorted',
  'find',
  'findAll',
  'format',
  'charAt',
  'substring',
  'size',
  'getHost',
  'orValue',
]
const OPERATORS = ['+', '-', '*', '/', '%', '==', '!=', '<', '>=', '&&', '||', 'in']
const MACROS = ['all', 'exists', 'map', 'filter', 'exists_one']

function expression(draw: Draw, depth: number): string {
  const inner = (): string => expression(draw, depth - 1)
  switch (draw.below(depth <= 0 ? 4 : 12)) {
    case 0:
      return draw.pick(['self', 'self.a', 'self["a"]', 'x', 'self[0]', 'self.?a'])
    case 1:
      return draw.pick(['1', '-1', '1u', '1.5', '9223372036854775807', 'true', 'null', '0x10', '1e999', '-9223372036854775808'])
    case 2:
      return JSON.stringify(draw.text())
    case 3:
      return draw.pick(['"a"', "b'x'", 'r"\\d"', '[]', '{}', 'int', 'duration("1s")'])
    case 4:
      return `[${draw.times(3, inner).join(', ')}]`
    case 5:
      return `{${draw.times(2, () => `${inner()}: ${inner()}`).join(', ')}}`
    case 6:
      return `(${inner()} ${draw.pick(OPERATORS)} ${inner()})`
    case 7:
      return `${draw.pick(['!', '-'])}(${inner()})`
    case 8:
      return `${draw.pick(CALLS)}(${draw.times(2, inner).join(', ')})`
    case 9:
      return `(${inner()}).${draw.pick(METHODS)}(${draw.times(2, inner).join(', ')})`
    case 10:
      return `(${inner()}).${draw.pick(MACROS)}(x, ${inner()})`
    default:
      return `(${inner()} ? ${inner()} : ${inner()})`
  }
}
