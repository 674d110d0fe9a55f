import { hasReason, type KubeObject, weftKinds } from '@weft/api'
import { startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composition, infrastructure } from './examples.fixture.ts'

const base = { apiVersion: 'nop.example.org/v1alpha1', kind: 'Server', spec: { anything: [{ goes: 'here' }] } }
/** Everything that a template may say. */
const whole = {
  name: 'server',
  base,
  patches: [
    { type: 'PatchSet', patchSetName: 'shared' },
    {
      type: 'FromCompositeFieldPath',
      fromFieldPath: 'spec.size',
      toFieldPath: 'spec.size',
      policy: { fromFieldPath: 'Required', toFieldPath: 'MergeObjects', mergeOptions: { keepMapValues: true, appendSlice: true } },
      transforms: [
        { type: 'map', map: { a: 'b', 5: { c: 1 } } },
        { type: 'math', math: { type: 'ClampMin', multiply: 1.5, clampMin: 1, clampMax: 3 } },
        { type: 'string', string: { type: 'Format', fmt: '%s', convert: 'ToUpper', trim: 'x' } },
        { type: 'string', string: { regexp: { match: '.*', group: 1 }, join: { separator: ',' }, replace: { search: 'a', replace: 'b' } } },
        { type: 'convert', convert: { toType: 'int', format: 'quantity' } },
        {
          type: 'match',
          match: {
            patterns: [
              { type: 'literal', literal: 'a', result: { deep: 1 } },
              { type: 'regexp', regexp: '.*', result: 5 },
            ],
            fallbackTo: 'Value',
            fallbackValue: ['x'],
          },
        },
      ],
    },
    {
      type: 'CombineFromComposite',
      combine: { strategy: 'string', variables: [{ fromFieldPath: 'spec.a' }], string: { fmt: '%s' } },
      toFieldPath: 'spec.b',
    },
    { fromClaimFieldPath: 'spec.a', toResourceFieldPath: 'spec.b' },
  ],
  connectionDetails: [
    { name: 'a', type: 'FromConnectionSecretKey', fromConnectionSecretKey: 'a' },
    { name: 'b', fromFieldPath: 'spec.b' },
    { name: 'c', value: 'v' },
  ],
  readinessChecks: [
    { type: 'MatchString', fieldPath: 'status.a', matchString: 'a' },
    { type: 'MatchInteger', fieldPath: 'status.b', matchInteger: 5 },
    { type: 'MatchCondition', matchCondition: { type: 'Ready', status: 'True' } },
  ],
}
const withSpec = (object: KubeObject, spec: object): KubeObject => ({ ...object, spec: { ...(object['spec'] as object), ...spec } })
const complete = (name: string): KubeObject =>
  withSpec(composition(name, [whole]), {
    patchSets: [{ name: 'shared', patches: [{ fromFieldPath: 'spec.x' }] }],
    writeConnectionSecretsToNamespace: 'a',
  })
/** The template with one field under another name. */
const misspelt = (from: string, to: string): KubeObject =>
  JSON.parse(JSON.stringify(composition('wrong', [whole])).replaceAll(`"${from}":`, `"${to}":`)) as KubeObject

describe('what Compositions and definitions may say', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ kinds: weftKinds })
  })
  afterAll(() => server.close())
  const outcome = (object: KubeObject): Promise<string> =>
    server.client.create(object, { fieldValidation: 'Strict', dryRun: true }).then(
      () => 'taken',
      (error: unknown) => (hasReason(error, 'BadRequest') ? (error as Error).message : String(error)),
    )

  it('C1, C5, C6, C7: every field that is read is known, and nothing of it is dropped', async () => {
    expect(await outcome(complete('whole'))).toBe('taken')
    const made = await server.client.create(complete('whole'))
    expect(made['spec']).toEqual(complete('whole')['spec'])
  })

  it.each([
    ['patches', 'patchs'],
    ['transforms', 'transform'],
    ['fromFieldPath', 'fromFeildPath'],
    ['connectionDetails', 'connectionDetail'],
    ['multiply', 'mutliply'],
    ['fmt', 'format'],
    ['readinessChecks', 'readynessChecks'],
    ['fallbackValue', 'fallback'],
  ])('C5, C6: %s misspelt as %s is told', async (field, wrong) => {
    expect(await outcome(misspelt(field, wrong))).toMatch(new RegExp(`unknown field.*${wrong}`))
  })

  it('C9: so is a misspelt field of a definition', async () => {
    expect(await outcome(infrastructure())).toBe('taken')
    const template = (infrastructure()['spec'] as { crdSpecTemplate: object }).crdSpecTemplate
    expect(await outcome(withSpec(infrastructure(), { crdSpecTemplate: { ...template, validaton: {} } }))).toMatch(
      /unknown field.*validaton/,
    )
  })
})
