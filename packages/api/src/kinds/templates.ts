import type { Schema } from '../schema.ts'
import { anything, anyValue, list, object, text } from './definition.ts'

/**
 * What Compositions and flexible classes make resources of. Typed to the last field, so that a misspelt one is told when it is applied, and `explain`
 * shows what there is. Values are judged where they are read: it says more than a schema can.
 */
const boolean = (description: string): Schema => ({ type: 'boolean', description })
const number = (description: string): Schema => ({ type: 'number', description })
const integer = (description: string): Schema => ({ type: 'integer', description })

const transform = object('One step. Its field named after its type says what to do.', {
  type: text('map, math, string, convert or match.'),
  map: anything('What each value becomes.'),
  math: object('Calculates with a number.', {
    type: text('Multiply, ClampMin or ClampMax.'),
    multiply: number('The factor.'),
    clampMin: number('The smallest result.'),
    clampMax: number('The largest result.'),
  }),
  string: object('Produces a string.', {
    type: text('Format, Convert, TrimPrefix, TrimSuffix, Regexp, Join or Replace. Defaults to Format.'),
    fmt: text('With a verb such as %s or %d for the value.'),
    convert: text('ToUpper, ToLower, ToBase64, FromBase64, ToJson, ToSha1, ToSha256, ToSha512 or ToAdler32.'),
    trim: text('The prefix or suffix to remove.'),
    regexp: object('Keeps what matches.', { match: text('A regular expression.'), group: integer('The group to keep; 0 is all of it.') }),
    join: object('Joins a list.', { separator: text('The separator.') }),
    replace: object('Replaces every occurrence.', { search: text('The text to search for.'), replace: text('The replacement.') }),
  }),
  convert: object('Changes the type.', {
    toType: text('string, bool, int, int64, float64, object, array.'),
    format: text('none, quantity or json.'),
  }),
  match: object('Chooses by pattern.', {
    patterns: list(
      'The first pattern that matches is used.',
      object('One pattern.', {
        type: text('literal or regexp. Defaults to literal.'),
        literal: text('The exact value.'),
        regexp: text('A regular expression.'),
        result: anyValue('The result.'),
      }),
    ),
    fallbackTo: text('What everything else becomes: Value (fallbackValue) or Input (left unchanged).'),
    fallbackValue: anyValue('The value for everything else.'),
  }),
})

const patch = object('One patch.', {
  type: text('FromCompositeFieldPath (the default), ToCompositeFieldPath, CombineFromComposite, CombineToComposite or PatchSet.'),
  fromFieldPath: text('Where the value is read.'),
  fromClaimFieldPath: text('Alias of fromFieldPath.'),
  toFieldPath: text('Where it is written. Defaults to the path that it is read from.'),
  toResourceFieldPath: text('Alias of toFieldPath.'),
  patchSetName: text('The set to use, for the type PatchSet.'),
  combine: object('Combines several values into one.', {
    strategy: text('string.'),
    variables: list('The values.', object('One value.', { fromFieldPath: text('Where it is read.') })),
    string: object('How they are combined.', { fmt: text('With one verb for each value.') }),
  }),
  transforms: list('Transforms that are applied to the value, in order.', transform),
  policy: object('What happens when there is nothing to read, or when a value already exists.', {
    fromFieldPath: text('Optional (the default) or Required.'),
    toFieldPath: text('Replace (the default), MergeObjects, MergeObjectsAppendArrays, ForceMergeObjects or ForceMergeObjectsAppendArrays.'),
    mergeOptions: object('The older form of the merge policy.', {
      keepMapValues: boolean('Existing values are kept.'),
      appendSlice: boolean('Lists are appended to.'),
    }),
  }),
})

export const patches: Schema = list('What is copied to it, or back from it.', patch)

const connectionDetail = object('One detail.', {
  name: text('Its key. Defaults to the key of the source.'),
  type: text('FromConnectionSecretKey, FromFieldPath or FromValue.'),
  fromConnectionSecretKey: text('A key of the secret of this resource.'),
  fromFieldPath: text('A field of this resource.'),
  value: text('The value itself.'),
})

const readinessCheck = object('One check.', {
  type: text('MatchString, MatchInteger, NonEmpty, MatchCondition, MatchTrue, MatchFalse or None.'),
  fieldPath: text('The field that is checked.'),
  matchString: text('The value that it must have.'),
  matchInteger: integer('The value that it must have.'),
  matchCondition: object('The condition that must be met.', { type: text('Its type.'), status: text('Defaults to True.') }),
})

export const connectionDetails: Schema = list('What it contributes to the connection details.', connectionDetail)
export const readinessChecks: Schema = list('When it is ready. Defaults to its Ready condition.', readinessCheck)

/** One resource to be made: what it starts from, and what is written into it. */
export const resourceTemplate: Schema = object(
  'One resource.',
  {
    name: text('A name that distinguishes it from the others.'),
    base: anything('The resource before it is patched.'),
    patches,
    patch: { ...patches, description: 'Alias of patches.' },
    connectionDetails,
    readinessChecks,
    template: anyValue('Not supported: write the resource as base and the differences as patches.'),
  },
  ['base'],
)

export const patchSets: Schema = list(
  'Sets of patches that are used by name.',
  object('One set.', { name: text('Its name.'), patches }, ['name']),
)
