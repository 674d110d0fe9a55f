import fc from 'fast-check'

/** A configuration as JSON text: numbers have all their digits. */
export interface RandomThing {
  readonly name: string
  readonly first: string
  readonly second: string
}

const text = fc.constantFrom('', 'a', 'b', 'text', 'Ünïcode', 'with "quotes"', '[]', '0', 'null')
/** Written without quotes: JSON.stringify knows no such numbers. */
const raw = (number: string): string => `@@${number}@@`
const integer = fc.constantFrom('0', '1', '-1', '80', '65536', '2147483648', '9007199254740991').map(raw)
const number = fc.constantFrom('0', '1.5', '1.1', '-3', '100000000000000000000', '9007199254740993', '0.1').map(raw)
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined })
const unique = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> =>
  fc.uniqueArray(arbitrary, { maxLength: 4, selector: (value) => JSON.stringify(value) })
const port = fc.constantFrom('22', '80', '443', '8080').map(raw)

const sdkThing: fc.Arbitrary<object> = fc.record({
  size: maybe(integer),
  big: maybe(integer),
  ratio: maybe(fc.constantFrom('0', '1.5', '1.1', '-3', '0.1').map(raw)),
  text: maybe(text),
  note: maybe(text),
  password: maybe(fc.constantFrom('hunter2', 'correct horse')),
  tags: maybe(fc.dictionary(fc.constantFrom('a', 'b', 'c'), text)),
  items: maybe(fc.array(text, { maxLength: 3 })),
  members: maybe(unique(text)),
  rule: fc.uniqueArray(fc.record({ port, proto: maybe(fc.constantFrom('tcp', 'udp')), comment: maybe(text) }), {
    maxLength: 3,
    selector: (rule) => rule.port,
  }),
  network: fc.array(fc.record({ cidr: fc.constantFrom('10.0.0.0/8', '::/0'), label: maybe(fc.constantFrom('x', 'y')) }), { maxLength: 1 }),
})

const part: fc.Arbitrary<object> = fc.record({ label: maybe(text), level: maybe(integer), mark: maybe(fc.constantFrom('m', 'n')) })

const frameworkThing: fc.Arbitrary<object> = fc.record({
  size: maybe(integer),
  number: maybe(number),
  note: maybe(text),
  password: maybe(fc.constantFrom('hunter2', 'correct horse')),
  password_version: maybe(fc.constantFrom('1', '2').map(raw)),
  tags: maybe(fc.dictionary(fc.constantFrom('a', 'b', 'c'), text)),
  members: maybe(unique(text)),
  one: maybe(part),
  many: maybe(fc.array(part, { maxLength: 3 })),
  any: maybe(unique(part)),
  by: maybe(fc.dictionary(fc.constantFrom('k', 'l'), part)),
  block: fc.array(part, { maxLength: 3 }),
})

const KINDS: Readonly<Record<'sdk' | 'framework', fc.Arbitrary<object>>> = { sdk: sdkThing, framework: frameworkThing }

/** Things that are made as `first`, and changed into `second`, under a new name here and there. */
export function randomThings(kind: 'sdk' | 'framework', count: number, seed: number): RandomThing[] {
  const of = KINDS[kind]
  return fc.sample(fc.tuple(of, of, fc.integer({ min: 0, max: 9 })), { numRuns: count, seed }).map(([first, second, luck], at) => {
    const name = `r${at}`
    // Some stay as they are, and some must give way to another.
    const next = luck < 2 ? first : second
    return { name, first: textOf({ ...first, name }), second: textOf({ ...next, name: luck === 9 ? `${name}x` : name }) }
  })
}

const textOf = (config: object): string => JSON.stringify(config).replaceAll(/"@@(.*?)@@"/g, '$1')
