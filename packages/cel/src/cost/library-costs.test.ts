import { describe, expect, test } from 'vitest'
import { Environment } from '../environment.ts'
import { AUTHORIZER_TYPE, authorizerValue } from '../library/authorizer.ts'
import { KUBERNETES_LIBRARIES } from '../library/kubernetes.ts'
import { compile } from '../program.ts'

// Numbers that Kubernetes' own tests state for its libraries: [expression, least, most, at run time].
const ints = '[1, 2, 3, 4, 5]'
const uints = '[uint(1), uint(2), uint(3), uint(4), uint(5)]'
const strings = "['012345678901', '012345678901', '012345678901', '012345678901', '012345678901']"
const bytes = "[bytes('012345678901'), bytes('012345678901'), bytes('012345678901'), bytes('012345678901'), bytes('012345678901')]"
const durations = "[duration('1s'), duration('2s'), duration('3s'), duration('4s'), duration('5s')]"
const text = "'01234567890123456789012345678901234567890123456789'"

const COSTS: readonly (readonly [string, number, number, number])[] = [
  [`${ints}.sum()`, 15, 15, 15],
  [`${uints}.sum()`, 20, 20, 20],
  [`${durations}.sum()`, 20, 20, 20],
  [`${ints}.isSorted()`, 15, 15, 15],
  [`${strings}.max()`, 15, 25, 15],
  [`${bytes}.min()`, 25, 35, 25],
  [`${ints}.indexOf(3)`, 15, 15, 15],
  [`${uints}.lastIndexOf(uint(3))`, 21, 21, 21],
  [`${strings}.indexOf('x')`, 15, 25, 15],
  [`${bytes}.indexOf(bytes('x'))`, 26, 36, 26],
  [`${text}.indexOf('123')`, 5, 5, 5],
  ["url('https:://kubernetes.io/').getScheme()", 4, 4, 4],
  ["ip('192.168.0.1')", 2, 2, 2],
  ["ip('192.168.0.1').family()", 3, 3, 3],
  ["ip('2001:db8:3333:4444:5555:6666:7777:8888')", 4, 4, 4],
  ["ip.isCanonical('192.168.0.1')", 3, 3, 3],
  ["ip.isCanonical('2001:db8:3333:4444:5555:6666:7777:8888')", 8, 8, 8],
  ["cidr('192.168.0.0/16').ip()", 3, 3, 3],
  ["cidr('192.168.0.0/16').masked()", 3, 3, 3],
  ["cidr('192.168.0.0/16').containsCIDR(cidr('192.0.0.0/30'))", 7, 11, 7],
  ["cidr('192.168.0.0/16').containsCIDR('192.0.0.0/30')", 7, 11, 7],
  ["cidr('192.168.0.0/16').containsIP(ip('192.0.0.1'))", 4, 7, 4],
  ["cidr('192.168.0.0/16').containsIP('192.169.0.1')", 5, 8, 5],
  ["'ABCDEFGHIJ abcdefghij'.lowerAscii()", 3, 3, 3],
  ["'ABCDEFGHIJ abcdefghij'.lowerAscii() == 'abcdefghij ABCDEFGHIJ'.lowerAscii()", 7, 9, 9],
  ["strings.quote('ABCDEFGHIJ abcdefghij')", 3, 3, 3],
  ["strings.quote('ABCDEFGHIJ abcdefghij') == strings.quote('ABCDEFGHIJ abcdefghij')", 7, 11, 9],
  ["'abc 123 def 123'.replace('123', '456')", 3, 3, 3],
  ["'abc 123 def 123'.split(' ')", 3, 3, 3],
  ["'abc 123 def 123'.substring(5, 8)", 2, 2, 2],
  ["'  abc 123 def 123  '.trim()", 2, 2, 2],
  ["['aa', 'bb', 'cc', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].join(' ')", 11, 23, 15],
  ["['aa', 'bb', 'cc', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].join()", 10, 22, 13],
  ["'abc 123 def 123'.find('123')", 2, 2, 2],
  ["'abc 123 def 123'.findAll('123', 1)", 2, 2, 2],
  ["authorizer.path('/healthz')", 2, 2, 2],
  ["authorizer.path('/healthz').check('get').allowed()", 350003, 350003, 350003],
  [
    "authorizer.group('apps').resource('deployments').subresource('status').namespace('test').name('backend').check('create').allowed()",
    350007,
    350007,
    350007,
  ],
  ['quantity("12Mi")', 1, 1, 1],
  ['quantity("50M").isLessThan(quantity("50Mi"))', 3, 3, 3],
  ['quantity("50k").add(20).sub(quantity("100k")).sub(-50000).asInteger() > 0', 7, 7, 7],
  ['sets.contains([], [])', 21, 21, 21],
  ['sets.contains([1, 2, 3, 4], [2, 3])', 29, 29, 29],
  ['sets.contains([[1], [2, 3]], [[2, 3.0]])', 53, 53, 53],
  ['!sets.contains([1], [1, 2])', 24, 24, 24],
  ['sets.equivalent([1, 2, 3], [3u, 2.0, 1])', 39, 39, 39],
  ['sets.intersects([1, 2], [2u, 2, 2.0])', 27, 27, 27],
]

/** As in those tests: a string or bytes of unknown size has at most 12 characters. */
const sizes = {
  sizeAt: (_: readonly string[], type: { kind: string }) =>
    type.kind === 'string' || type.kind === 'bytes' ? { min: 0n, max: 12n } : undefined,
}
const environment = new Environment({ libraries: KUBERNETES_LIBRARIES, variables: { authorizer: AUTHORIZER_TYPE } })
const authorizer = authorizerValue({ authorize: () => ({ allowed: true, reason: '' }) })

describe("cost of Kubernetes' libraries", () => {
  test.each(COSTS)('%s', (expression, min, max, atRunTime) => {
    const { program, message } = compile(expression, environment)
    expect(message).toBeUndefined()
    expect(program?.estimate(sizes)).toEqual({ min: BigInt(min), max: BigInt(max) })
    expect(program?.evaluate({ authorizer }).cost).toBe(atRunTime)
  })
})
