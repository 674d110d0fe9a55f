import { describe, expect, test } from 'vitest'
import type { Field } from '../kinds/shape.ts'
import type { AttributePath } from '../protocol/diagnostic.ts'
import { Decimal } from '../value/decimal.ts'
import { isArray, isMap, type Value } from '../value/value.ts'
import { fittingParameters } from './fitting-parameters.ts'

const field = (name: string, more: Partial<Field> = {}): Field => ({
  name,
  field: name,
  input: 'optional',
  output: 'status',
  form: { kind: 'string' },
  absent: 'null',
  description: '',
  deprecated: false,
  ...more,
})
const NUMBER = { kind: 'number' } as const
const disk = [field('size', { input: 'required', form: NUMBER }), field('iops', { form: NUMBER })]
const fields: readonly Field[] = [
  field('name', { input: 'required' }),
  field('zone', { computed: true }),
  field('zone_id', { computed: true }),
  field('lni', { form: NUMBER }),
  field('weight', { form: NUMBER }),
  field('password', { secretField: 'passwordSecretRef', output: 'connection' }),
  field('disk', { absent: 'empty', form: { kind: 'only', of: 'list', untyped: false, element: { kind: 'object', fields: disk } } }),
]
const map = (value: Record<string, Value>): Value => new Map(Object.entries(value))
const state = map({
  name: 'n',
  zone: 'a',
  zone_id: 'az-1',
  lni: Decimal.of(0),
  weight: Decimal.of(0),
  password: 'secret',
  disk: [map({ size: Decimal.of(1), iops: Decimal.of(0) })],
})
const at = (...steps: (string | number)[]): AttributePath =>
  steps.map((step) => (typeof step === 'number' ? { type: 'index', index: step } : { type: 'attribute', name: step }))
const get = (config: Value, name: string): Value => (isMap(config) ? (config.get(name) ?? null) : null)

/** As providers do it: all that is wrong at once, and of what excludes each other both. */
const provider = (seen: Value[] = []) => ({
  legacy: true,
  refused: (config: Value) => {
    seen.push(config)
    const disks = get(config, 'disk')
    const first = isArray(disks) ? disks[0] : undefined
    return Promise.resolve([
      ...(get(config, 'lni') === null ? [] : [at('lni')]),
      ...(get(config, 'zone') === null || get(config, 'zone_id') === null ? [] : [at('zone_id'), at('zone')]),
      ...(first !== undefined && isMap(first) && first.get('iops') !== null ? [at('disk', 0, 'iops')] : []),
    ])
  },
})

describe('parameters that a provider takes together', () => {
  test('lack what says nothing, and one of two that say the same; the rest stays', async () => {
    const seen: Value[] = []
    const { forProvider, secrets } = await fittingParameters(fields, state, provider(seen))
    expect(forProvider).toEqual({ name: 'n', zone: 'a', weight: 0, passwordSecretRef: {}, disk: { size: 1 } })
    expect(secrets.map(({ value }) => value)).toEqual(['secret'])
    // Asked with what the Secret will hold.
    for (const config of seen) expect(get(config, 'password')).toBe('secret')
    expect(seen).toHaveLength(3)
  })

  test('are all of them where the provider refuses none', async () => {
    const { forProvider } = await fittingParameters(fields, state, { legacy: true, refused: () => Promise.resolve([]) })
    expect(forProvider).toMatchObject({ zone: 'a', zone_id: 'az-1', lni: 0, disk: { size: 1, iops: 0 } })
  })

  test.each([
    ['what is required', [at('name'), at('disk', 0, 'size')]],
    ['what was set and is nobody else’s to decide', [at('password')]],
    ['what there is no place for', [at('nowhere'), at('disk', 7, 'iops'), at()]],
  ])('keep %s, whatever the provider says', async (_what, paths) => {
    let asked = 0
    const refused = (): Promise<readonly AttributePath[]> => {
      asked++
      return Promise.resolve(paths)
    }
    const { forProvider } = await fittingParameters(fields, state, { legacy: true, refused })
    expect(forProvider).toMatchObject({ name: 'n', passwordSecretRef: {}, disk: { size: 1, iops: 0 } })
    expect(asked).toBe(1)
  })
})
