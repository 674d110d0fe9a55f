import { anything, type Decoder, integer, list, mapOf, struct, text, typeFields } from '../../go/decode.ts'
import type { GoValue } from '../../go/value.ts'

/** The function's input, `Resources` of pt.fn.crossplane.io/v1beta1: what is absent, null or zero is undefined. No defaults are applied. */
export interface Input {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata?: object
  readonly patchSets?: readonly PatchSet[]
  readonly environment?: { readonly patches?: readonly Patch[] }
  readonly resources?: readonly Template[]
  readonly writeConnectionSecretToRef?: SecretTarget
}

export interface PatchSet {
  readonly name?: string
  readonly patches?: readonly Patch[]
}

export interface SecretTarget {
  readonly name?: string
  readonly namespace?: string
  readonly patches?: readonly Patch[]
}

export interface Template {
  readonly name?: string
  readonly base?: GoValue
  readonly patches?: readonly Patch[]
  readonly connectionDetails?: readonly ConnectionDetail[]
  readonly readinessChecks?: readonly ReadinessCheck[]
}

export interface Patch {
  readonly type?: string
  readonly fromFieldPath?: string
  readonly toFieldPath?: string
  readonly combine?: Combine
  readonly transforms?: readonly Transform[]
  readonly policy?: { readonly fromFieldPath?: string; readonly toFieldPath?: string }
  /** Of templates' patches only. */
  readonly patchSetName?: string
}

export interface Combine {
  readonly variables?: readonly { readonly fromFieldPath?: string }[]
  readonly strategy?: string
  readonly string?: { readonly fmt?: string }
}

export interface Transform {
  readonly type?: string
  readonly math?: MathTransform
  /** Raw: null is a pair without a value. */
  readonly map?: Readonly<Record<string, GoValue>>
  readonly match?: MatchTransform
  readonly string?: StringTransform
  readonly convert?: { readonly toType?: string; readonly format?: string }
}

export interface MathTransform {
  readonly type?: string
  readonly multiply?: bigint
  readonly clampMin?: bigint
  readonly clampMax?: bigint
}

export interface MatchTransform {
  readonly patterns?: readonly MatchPattern[]
  readonly fallbackValue?: GoValue
  readonly fallbackTo?: string
}

export interface MatchPattern {
  readonly type?: string
  readonly literal?: string
  readonly regexp?: string
  readonly result?: GoValue
}

export interface StringTransform {
  readonly type?: string
  readonly fmt?: string
  readonly convert?: string
  readonly trim?: string
  readonly regexp?: { readonly match?: string; readonly group?: bigint }
  readonly join?: { readonly separator?: string }
  readonly replace?: { readonly search?: string; readonly replace?: string }
}

export interface ConnectionDetail {
  readonly name?: string
  readonly type?: string
  readonly fromConnectionSecretKey?: string
  readonly fromFieldPath?: string
  readonly value?: string
}

export interface ReadinessCheck {
  readonly type?: string
  readonly fieldPath?: string
  readonly matchString?: string
  readonly matchInteger?: bigint
  readonly matchCondition?: { readonly type?: string; readonly status?: string }
}

/** An element that is null is the type's zero. */
const listOf = <T extends object>(item: Decoder<T>, type: string): Decoder<readonly T[]> => {
  const decode = list(item, `[]${type}`)
  return (value) => decode(value)?.map((element) => element ?? ({} as T))
}

const go = (name: string): string => `v1beta1.${name}`

const transform = struct<Transform>(go('Transform'), {
  type: text,
  math: struct<MathTransform>(go('MathTransform'), { type: text, multiply: integer, clampMin: integer, clampMax: integer }),
  map: (value) => mapOf<GoValue>((pair) => pair, 'map[string]v1.JSON')(value) as Record<string, GoValue> | undefined,
  match: struct<MatchTransform>(go('MatchTransform'), {
    patterns: listOf(
      struct<MatchPattern>(go('MatchTransformPattern'), { type: text, literal: text, regexp: text, result: anything }),
      go('MatchTransformPattern'),
    ),
    fallbackValue: anything,
    fallbackTo: text,
  }),
  string: struct<StringTransform>(go('StringTransform'), {
    type: text,
    fmt: text,
    convert: text,
    trim: text,
    regexp: struct(go('StringTransformRegexp'), { match: text, group: integer }),
    join: struct(go('StringTransformJoin'), { separator: text }),
    replace: struct(go('StringTransformReplace'), { search: text, replace: text }),
  }),
  convert: struct(go('ConvertTransform'), { toType: text, format: text }),
})

const patchFields = {
  type: text,
  fromFieldPath: text,
  toFieldPath: text,
  combine: struct<Combine>(go('Combine'), {
    variables: listOf(struct(go('CombineVariable'), { fromFieldPath: text }), go('CombineVariable')),
    strategy: text,
    string: struct(go('StringCombine'), { fmt: text }),
  }),
  transforms: listOf(transform, go('Transform')),
  policy: struct(go('PatchPolicy'), { fromFieldPath: text, toFieldPath: text }),
} as const

const patches = (type: string): Decoder<readonly Patch[]> => listOf(struct<Omit<Patch, 'patchSetName'>>(go(type), patchFields), go(type))

const templatePatches = listOf(struct<Patch>(go('ComposedPatch'), { ...patchFields, patchSetName: text }), go('ComposedPatch'))

export const decodeInput: Decoder<Input> = struct<Input>(go('Resources'), {
  ...typeFields,
  patchSets: listOf(struct<PatchSet>(go('PatchSet'), { name: text, patches: patches('PatchSetPatch') }), go('PatchSet')),
  environment: struct(go('Environment'), { patches: patches('EnvironmentPatch') }),
  resources: listOf(
    struct<Template>(go('ComposedTemplate'), {
      name: text,
      base: anything,
      patches: templatePatches,
      connectionDetails: listOf(
        struct<ConnectionDetail>(go('ConnectionDetail'), {
          name: text,
          type: text,
          fromConnectionSecretKey: text,
          fromFieldPath: text,
          value: text,
        }),
        go('ConnectionDetail'),
      ),
      readinessChecks: listOf(
        struct<ReadinessCheck>(go('ReadinessCheck'), {
          type: text,
          fieldPath: text,
          matchString: text,
          matchInteger: integer,
          matchCondition: struct(go('MatchConditionReadinessCheck'), { type: text, status: text }),
        }),
        go('ReadinessCheck'),
      ),
    }),
    go('ComposedTemplate'),
  ),
  writeConnectionSecretToRef: struct<SecretTarget>(go('WriteConnectionSecretToRef'), {
    name: text,
    namespace: text,
    patches: patches('ConnectionSecretPatch'),
  }),
})

/** A patch that says no type copies from the composite. */
export const patchType = (patch: Patch): string => (patch.type === undefined || patch.type === '' ? 'FromCompositeFieldPath' : patch.type)

/** Where a patch writes: where it reads, unless it says otherwise. */
export const targetPath = (patch: Patch): string => patch.toFieldPath ?? patch.fromFieldPath ?? ''

export const isRequired = (patch: Patch): boolean => patch.policy?.fromFieldPath === 'Required'

/** Neither said nor `Optional`: an unknown policy is neither optional nor required. */
export const isOptional = (patch: Patch): boolean => (patch.policy?.fromFieldPath ?? 'Optional') === 'Optional'
