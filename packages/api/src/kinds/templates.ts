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
    clampMin: number('The least that comes out.'),
    clampMax: number('The most that comes out.'),
  }),
  string: object('Makes a text.', {
    type: text('Format, Convert, TrimPrefix, TrimSuffix, Regexp, Join or Replace; Format unless given.'),
    fmt: text('With a verb such as %s or %d for the value.'),
    convert: text('ToUpper, ToLower, ToBase64, FromBase64, ToJson, ToSha1, ToSha256, ToSha512 or ToAdler32.'),
    trim: text('What is cut off.'),
    regexp: object('Keeps what matches.', { match: text('A regular expression.'), group: integer('The group to keep; 0 is all of it.') }),
    join: object('Joins a list.', { separator: text('What comes between.') }),
    replace: object('Replaces every occurrence.', { search: text('What is looked for.'), replace: text('What it becomes.') }),
  }),
  convert: object('Changes the type.', {
    toType: text('string, bool, int, int64, float64, object, array.'),
    format: text('none, quantity or json.'),
  }),
  match: object('Chooses by pattern.', {
    patterns: list(
      'The first that matches decides.',
      object('One pattern.', {
        type: text('literal or regexp; literal unless given.'),
        literal: text('The very value.'),
        regexp: text('A regular expression.'),
        result: anyValue('What it becomes.'),
      }),
    ),
    fallbackTo: text('Value or Input: what becomes of everything else.'),
    fallbackValue: anyValue('What everything else becomes.'),
  }),
})

const patch = object('One patch.', {
  type: text('FromCompositeFieldPath unless given; or ToCompositeFieldPath, CombineFromComposite, CombineToComposite, PatchSet.'),
  fromFieldPath: text('Where the value is read.'),
  fromClaimFieldPath: text('Another name of fromFieldPath.'),
  toFieldPath: text('Where it is written; the same path unless given.'),
  toResourceFieldPath: text('Another name of toFieldPath.'),
  patchSetName: text('The set to use, for the type PatchSet.'),
  combine: object('Several values in one.', {
    strategy: text('string.'),
    variables: list('The values.', object('One value.', { fromFieldPath: text('Where it is read.') })),
    string: object('How they are put together.', { fmt: text('With one verb for each value.') }),
  }),
  transforms: list('What changes the value on its way, in order.', transform),
  policy: object('What happens when there is nothing to read, or something to write over.', {
    fromFieldPath: text('Optional, which is so unless given, or Required.'),
    toFieldPath: text('Replace unless given; or MergeObjects, MergeObjectsAppendArrays, ForceMergeObjects, ForceMergeObjectsAppendArrays.'),
    mergeOptions: object('The older way to say how to merge.', {
      keepMapValues: boolean('Values that are there stay.'),
      appendSlice: boolean('Lists are appended to.'),
    }),
  }),
})

export const patches: Schema = list('What is copied into it, or back from it.', patch)

const connectionDetail = object('One detail.', {
  name: text('Its key; that of the source unless given.'),
  type: text('FromConnectionSecretKey, FromFieldPath or FromValue.'),
  fromConnectionSecretKey: text('A key of the secret of this resource.'),
  fromFieldPath: text('A field of this resource.'),
  value: text('The value itself.'),
})

const readinessCheck = object('One check.', {
  type: text('MatchString, MatchInteger, NonEmpty, MatchCondition, MatchTrue, MatchFalse or None.'),
  fieldPath: text('The field that is looked at.'),
  matchString: text('What it must be.'),
  matchInteger: integer('What it must be.'),
  matchCondition: object('The condition that must hold.', { type: text('Its type.'), status: text('True unless given.') }),
})

export const connectionDetails: Schema = list('What it contributes to the connection.', connectionDetail)
export const readinessChecks: Schema = list('When it is ready; by its Ready condition unless given.', readinessCheck)

/** One resource to be made: what it starts from, and what is written into it. */
export const resourceTemplate: Schema = object(
  'One resource.',
  {
    name: text('A name for it, to tell it from the others.'),
    base: anything('The resource before it is patched.'),
    patches,
    patch: { ...patches, description: 'Alias of patches.' },
    connectionDetails,
    readinessChecks,
    template: anyValue('Not supported: write the resource as base, and what differs as patches.'),
  },
  ['base'],
)

export const patchSets: Schema = list('Patches to be used by name.', object('One set.', { name: text('Its name.'), patches }, ['name']))
