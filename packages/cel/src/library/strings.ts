import { STRING_FACTOR, UINT64_MAX, add, interval, multiply, scale, type EstimateContext, type Interval } from '../cost/interval.ts'
import { Fault } from '../eval/fault.ts'
import { checkTextSize, growthCost } from '../eval/size-limit.ts'
import { ArrayList, sizeOf, type ListValue, type Value } from '../eval/value.ts'
import { INT, STRING, listType, DYN } from '../types/type.ts'
import { fn, memberOverload, overload, type FunctionDecl, type Library, type Overload } from './library.ts'
import { formatText } from './format-text.ts'
import { charAt, indexOf, lastIndexOf, lowerAscii, quote, replace, reverse, split, substring, trim, upperAscii } from './text.ts'

/** Functions on strings, in the version Kubernetes has (2), and `reverse`. */
type Costs = Pick<Overload, 'cost' | 'estimate'>
const LIST = listType(STRING)
const traversed =
  (factor: number) =>
  ([text]: readonly Value[]): number =>
    Math.ceil(sizeOf(text as Value) * factor)

const grown = ([text]: readonly Value[], result: Value): number => growthCost((text as string).length, (result as string).length)

const sameSize: Costs = {
  cost: traversed(STRING_FACTOR),
  estimate: ({ target }) => (target === undefined ? undefined : { cost: scale(target.size, STRING_FACTOR), size: target.size }),
}

const replaced: Costs = { cost: (args, result) => traversed(2 * STRING_FACTOR)(args) + grown(args, result), estimate: estimateReplace }

function estimateReplace({ target, args: [old, replacement] }: EstimateContext): { cost: Interval; size: Interval } | undefined {
  if (target === undefined || old === undefined || replacement === undefined) return undefined
  const { size } = target
  const most = replacements(size.max, old.size.min, replacement.size.max <= old.size.min)
  const least = replacements(size.min, old.size.max, old.size.max <= replacement.size.min)
  const result = add(multiply(interval(least.count, most.count), replacement.size), interval(least.kept, most.kept))
  return { cost: scale(size, 2 * STRING_FACTOR), size: result }
}

/** How often a part of `part` characters is replaced in `length` ones at the extreme, and what stays beside it. */
function replacements(length: bigint, part: bigint, keepsLength: boolean): { readonly count: bigint; readonly kept: bigint } {
  if (part === 0n) return { count: length < UINT64_MAX ? length + 1n : length, kept: length }
  if (keepsLength) return { count: 0n, kept: length }
  return { count: BigInt(Math.ceil(Number(length) / Number(part))), kept: 0n }
}

const splitted: Costs = {
  cost: traversed(2 * STRING_FACTOR),
  estimate: ({ target, args: [, limit] }) => {
    if (target === undefined) return undefined
    const stated = limit?.expr?.kind === 'const' ? limit.expr.value : undefined
    const max = typeof stated === 'number' && stated >= 0 ? BigInt(stated) : target.size.max
    return { cost: scale(target.size, 2 * STRING_FACTOR), size: interval(0n, max) }
  },
}

const joined: Costs = {
  cost: (_, result) => Math.ceil(sizeOf(result) * 2 * STRING_FACTOR),
  estimate: (context) => {
    const {
      target,
      args: [separator],
    } = context
    if (target === undefined) return undefined
    const element = context.element(target)
    let size = element === undefined ? interval(0n, 0n) : multiply(target.size, element.size)
    if (separator !== undefined) {
      const less = (count: bigint): bigint => (count > 0n ? count - 1n : 0n)
      size = add(size, multiply(separator.size, interval(less(target.size.min), less(target.size.max))))
    }
    return { cost: scale(size, STRING_FACTOR), size }
  },
}

/** `indexOf` on a string costs a walk over it. */
const searched: Costs = {
  cost: ([text]) => Math.floor(new TextEncoder().encode(text as string).length * STRING_FACTOR),
  estimate: ({ target }) => (target === undefined ? undefined : { cost: scale(target.size, STRING_FACTOR) }),
}

const quoted: Costs = {
  cost: traversed(STRING_FACTOR),
  estimate: ({ args: [text] }) =>
    text === undefined
      ? undefined
      : { cost: scale(text.size, STRING_FACTOR), size: add(multiply(text.size, interval(1n, 2n)), interval(2n, 2n)) },
}

const onText = (name: string, run: (text: string) => string, costs: Costs): FunctionDecl =>
  fn(name, memberOverload(`string_${name}`, [STRING], STRING, run, costs))

function join(list: ListValue, separator = ''): string {
  const parts: string[] = []
  let length = 0
  for (const item of list) {
    if (typeof item !== 'string') throw new Fault('no such overload')
    parts.push(item)
    length += item.length + separator.length
  }
  checkTextSize(length)
  return parts.join(separator)
}

export const STRINGS: Library = {
  name: 'strings',
  functions: [
    fn('charAt', memberOverload('string_char_at_int', [STRING, INT], STRING, charAt)),
    fn(
      'indexOf',
      memberOverload('string_index_of_string', [STRING, STRING], INT, indexOf, searched),
      memberOverload('string_index_of_string_int', [STRING, STRING, INT], INT, indexOf, searched),
    ),
    fn(
      'lastIndexOf',
      memberOverload('string_last_index_of_string', [STRING, STRING], INT, lastIndexOf, searched),
      memberOverload('string_last_index_of_string_int', [STRING, STRING, INT], INT, lastIndexOf, searched),
    ),
    onText('lowerAscii', lowerAscii, sameSize),
    onText('upperAscii', upperAscii, sameSize),
    onText('trim', trim, sameSize),
    onText('reverse', reverse, sameSize),
    fn(
      'replace',
      memberOverload('string_replace_string_string', [STRING, STRING, STRING], STRING, replace, replaced),
      memberOverload('string_replace_string_string_int', [STRING, STRING, STRING, INT], STRING, replace, replaced),
    ),
    fn(
      'split',
      memberOverload('string_split_string', [STRING, STRING], LIST, (text: string, by: string) => new ArrayList(split(text, by)), splitted),
      memberOverload(
        'string_split_string_int',
        [STRING, STRING, INT],
        LIST,
        (text: string, by: string, limit: number) => new ArrayList(split(text, by, limit)),
        splitted,
      ),
    ),
    fn(
      'substring',
      memberOverload('string_substring_int', [STRING, INT], STRING, substring, sameSize),
      memberOverload('string_substring_int_int', [STRING, INT, INT], STRING, substring, sameSize),
    ),
    fn(
      'join',
      memberOverload('list_join', [LIST], STRING, join, joined),
      memberOverload('list_join_string', [LIST, STRING], STRING, join, joined),
    ),
    fn('strings.quote', overload('strings_quote', [STRING], STRING, quote, quoted)),
    fn(
      'format',
      memberOverload('string_format', [STRING, listType(DYN)], STRING, formatText, {
        cost: (args, result) => traversed(STRING_FACTOR)(args) + grown(args, result),
        estimate: ({ target }) =>
          target === undefined ? undefined : { cost: scale(target.size, STRING_FACTOR), size: interval(0n, UINT64_MAX) },
      }),
    ),
  ],
}
