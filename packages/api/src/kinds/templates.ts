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
  type: text('Type of the transform: map, math, string, convert or match.'),
  map: anything('The result for each value.'),
  math: object('Performs a calculation.', {
    type: text('The calculation: Multiply (the default), ClampMin or ClampMax.'),
    multiply: number('The factor.'),
    clampMin: number('Lower limit of the result.'),
    clampMax: number('Upper limit of the result.'),
  }),
  string: object('Produces a string.', {
    type: text('The operation: Format (the default), Convert, TrimPrefix, TrimSuffix, Regexp, Join or Replace.'),
    fmt: text('Format string with a verb, such as %s or %d, for the value.'),
    convert: text('ToUpper, ToLower, ToBase64, FromBase64, ToJson, ToSha1, ToSha256, ToSha512 or ToAdler32.'),
    trim: text('The prefix or suffix to remove.'),
    regexp: object('Extracts the part that matches.', {
      match: text('A regular expression.'),
      group: integer('The capture group to extract; 0 is the whole match.'),
    }),
    join: object('Joins a list.', { separator: text('The separator.') }),
    replace: object('Replaces every occurrence.', { search: text('The text to search for.'), replace: text('The replacement.') }),
  }),
  convert: object('Converts the value to another type.', {
    toType: text('The type: string, bool, int, int64, float64, object or array.'),
    format: text('The format of the value: none (the default), quantity or json.'),
  }),
  match: object('Selects a result by pattern.', {
    patterns: list(
      'Patterns, of which the first that matches is used.',
      object('One pattern.', {
        type: text('The type of the pattern: literal (the default) or regexp.'),
        literal: text('The exact value to match.'),
        regexp: text('A regular expression.'),
        result: anyValue('The result.'),
      }),
    ),
    fallbackTo: text('What to return when no pattern matches: Value (fallbackValue) or Input (the value itself).'),
    fallbackValue: anyValue('The result when no pattern matches.'),
  }),
})

const patch = object('One patch.', {
  type: text(
    'The type of the patch: FromCompositeFieldPath (the default), ToCompositeFieldPath, CombineFromComposite, CombineToComposite or PatchSet.',
  ),
  fromFieldPath: text('Path of the field to read.'),
  fromClaimFieldPath: text('Alias of fromFieldPath.'),
  toFieldPath: text('Path of the field to write. Defaults to the path of the field to read.'),
  toResourceFieldPath: text('Alias of toFieldPath.'),
  patchSetName: text('Name of the patch set to use, for the type PatchSet.'),
  combine: object('Combines the values of several fields into one.', {
    strategy: text('string.'),
    variables: list('The values.', object('One value.', { fromFieldPath: text('Path of the field to read.') })),
    string: object('How to combine the values.', { fmt: text('Format string with one verb for each value.') }),
  }),
  transforms: list('Transforms that are applied to the value, in order.', transform),
  policy: object('What to do when the field to read does not exist, or when the field to write already has a value.', {
    fromFieldPath: text('Whether the field to read must exist: Optional (the default) or Required.'),
    toFieldPath: text(
      'How to write the value: Replace (the default), MergeObjects, MergeObjectsAppendArrays, ForceMergeObjects or ForceMergeObjectsAppendArrays.',
    ),
    mergeOptions: object('The older form of the merge policy.', {
      keepMapValues: boolean('Keep existing values.'),
      appendSlice: boolean('Append to existing lists.'),
    }),
  }),
})

export const patches: Schema = list('Values to copy to the resource, or from it.', patch)

const connectionDetail = object('One detail.', {
  name: text('Key of the connection detail. Defaults to the key of the source.'),
  type: text('The source: FromConnectionSecretKey, FromFieldPath or FromValue.'),
  fromConnectionSecretKey: text('Key in the connection secret of this resource.'),
  fromFieldPath: text('Path of a field of this resource.'),
  value: text('A fixed value.'),
})

const readinessCheck = object('One check.', {
  type: text('The type of the check: MatchString, MatchInteger, NonEmpty, MatchCondition, MatchTrue, MatchFalse or None.'),
  fieldPath: text('Path of the field to check.'),
  matchString: text('The value that the field must have.'),
  matchInteger: integer('The value that the field must have.'),
  matchCondition: object('The condition that must be met.', {
    type: text('Type of the condition.'),
    status: text('Status that the condition must have. Defaults to True.'),
  }),
})

export const connectionDetails: Schema = list('Connection details that this resource provides.', connectionDetail)
export const readinessChecks: Schema = list(
  'Checks that decide whether the resource is ready. Defaults to its Ready condition.',
  readinessCheck,
)

/** One resource to be made: what it starts from, and what is written into it. */
export const resourceTemplate: Schema = object(
  'One resource.',
  {
    name: text('A name that is unique within the list.'),
    base: anything('The resource, before patches are applied.'),
    patches,
    patch: { ...patches, description: 'Alias of patches.' },
    connectionDetails,
    readinessChecks,
    template: anyValue('Not supported: write the resource as base and the differences as patches.'),
  },
  ['base'],
)

export const patchSets: Schema = list(
  'Sets of patches that can be used by name.',
  object('One set.', { name: text('Its name.'), patches }, ['name']),
)
