import fc from 'fast-check'
import type { RunFunctionRequest } from '../../protocol/request.ts'
import { anyFields, json, word } from '../json.fixture.ts'

/** Every word of the language, in places where it belongs and where it does not. */
const path = fc.oneof(
  fc.constantFrom(
    'spec.in',
    'spec.in[0]',
    'spec.in[*]',
    'spec[a.b]',
    'metadata.name',
    '',
    '.',
    'a..b',
    'x[',
    'spec.in[2000]',
    '[*].x',
    'kind',
  ),
  fc.string({ maxLength: 12 }),
)
const transform = anyFields({
  type: word('math', 'map', 'match', 'string', 'convert', 'nonsense'),
  math: anyFields({
    type: word('Multiply', 'ClampMin', 'ClampMax'),
    multiply: fc.integer(),
    clampMin: fc.integer(),
    clampMax: fc.integer(),
  }),
  map: fc.dictionary(word('a', '12', 'true'), json),
  match: anyFields({
    patterns: fc.array(
      anyFields({ type: word('literal', 'regexp'), literal: fc.string(), regexp: word('a+', '[', '(?i)A', '.*'), result: json }),
    ),
    fallbackTo: word('Input', 'Value'),
    fallbackValue: json,
  }),
  string: anyFields({
    type: word('Format', 'Convert', 'TrimPrefix', 'Regexp', 'Join', 'Replace'),
    fmt: fc.oneof(word('%s', '%d', '%v', '%#v', '%+08.3f', '%[2]x', '%*d', '%'), fc.string({ maxLength: 8 })),
    convert: word('ToUpper', 'ToJson', 'ToBase64', 'FromBase64', 'ToSha1', 'ToAdler32', 'Nonsense'),
    trim: fc.string({ maxLength: 2 }),
    regexp: anyFields({ match: word('a(b)?', '\\d+', '['), group: fc.integer({ min: -1, max: 3 }) }),
    join: anyFields({ separator: fc.string({ maxLength: 3 }) }),
    replace: anyFields({ search: fc.string({ maxLength: 1 }), replace: fc.string() }),
  }),
  convert: anyFields({ toType: word('string', 'int', 'bool', 'float64', 'object', 'array'), format: word('none', 'json', 'quantity') }),
})
const patch = anyFields({
  type: word(
    'FromCompositeFieldPath',
    'ToCompositeFieldPath',
    'CombineFromComposite',
    'CombineToEnvironment',
    'FromEnvironmentFieldPath',
    'PatchSet',
  ),
  fromFieldPath: path,
  toFieldPath: path,
  patchSetName: word('set', 'other'),
  combine: anyFields({
    strategy: word('string'),
    string: anyFields({ fmt: fc.string() }),
    variables: fc.array(anyFields({ fromFieldPath: path })),
  }),
  transforms: fc.array(transform, { maxLength: 3 }),
  policy: anyFields({
    fromFieldPath: word('Required', 'Optional'),
    toFieldPath: word('Replace', 'MergeObjects', 'ForceMergeObjectsAppendArrays', 'AppendArray', 'MergeObjectsAppendArrays'),
  }),
})
const object = fc.record({
  apiVersion: word('v1', 'example.org/v1', 'a/b/c'),
  kind: word('Thing', ''),
  spec: fc.dictionary(word('in', 'a.b'), json),
})
const template = anyFields({
  name: word('one', 'two', ''),
  base: fc.oneof(object, json),
  patches: fc.array(patch, { maxLength: 3 }),
  connectionDetails: fc.array(
    anyFields({ type: word('FromValue', 'FromFieldPath'), name: word('k'), value: fc.string(), fromFieldPath: path }),
  ),
  readinessChecks: fc.array(
    anyFields({
      type: word('None', 'NonEmpty', 'MatchCondition', 'MatchInteger', 'MatchTrue'),
      fieldPath: path,
      matchInteger: fc.integer(),
    }),
  ),
})
/** Requests that look like requests, with inputs that look like inputs. */
export const anyRequest: fc.Arbitrary<RunFunctionRequest> = fc.record({
  observed: fc.record({
    composite: fc.record({ resource: object }),
    resources: fc.dictionary(word('one', 'two'), fc.record({ resource: object })),
  }),
  desired: fc.record({ resources: fc.dictionary(word('one', 'three'), fc.record({ resource: object })) }),
  input: anyFields({
    patchSets: fc.array(fc.record({ name: word('set'), patches: fc.array(patch, { maxLength: 2 }) }), { maxLength: 1 }),
    environment: fc.record({ patches: fc.array(patch, { maxLength: 2 }) }),
    resources: fc.array(template, { maxLength: 3 }),
    writeConnectionSecretToRef: anyFields({ name: fc.string(), patches: fc.array(patch, { maxLength: 2 }) }),
  }),
}) as unknown as fc.Arbitrary<RunFunctionRequest>
