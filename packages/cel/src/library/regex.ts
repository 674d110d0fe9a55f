import { interval } from '../cost/interval.ts'
import { ArrayList, type Int } from '../eval/value.ts'
import { INT, STRING, listType } from '../types/type.ts'
import { fn, memberOverload, type Library, type Overload } from './library.ts'
import { compilePattern } from './pattern.ts'
import { estimateRegex, regexCosts } from './standard.ts'

/** `find` and `findAll`. */
function find(text: string, pattern: string): string {
  const matcher = compilePattern(pattern).matcher(text)
  return matcher.find() ? (matcher.group() ?? '') : ''
}

function findAll(text: string, pattern: string, limit: Int = -1): ArrayList {
  const matcher = compilePattern(pattern).matcher(text)
  const found: string[] = []
  while ((limit < 0 || found.length < limit) && matcher.find()) found.push(matcher.group() ?? '')
  return new ArrayList(found)
}

const costs: Pick<Overload, 'cost' | 'estimate'> = {
  ...regexCosts,
  // At worst every character is a match of its own.
  estimate: (context) => {
    const estimate = estimateRegex(context)
    return estimate === undefined || context.target === undefined ? estimate : { ...estimate, size: interval(0n, context.target.size.max) }
  },
}

export const REGEX: Library = {
  name: 'kubernetes.regex',
  functions: [
    fn('find', memberOverload('string_find_string', [STRING, STRING], STRING, find, costs)),
    fn(
      'findAll',
      memberOverload('string_find_all_string', [STRING, STRING], listType(STRING), findAll, costs),
      memberOverload('string_find_all_string_int', [STRING, STRING, INT], listType(STRING), findAll, costs),
    ),
  ],
}
