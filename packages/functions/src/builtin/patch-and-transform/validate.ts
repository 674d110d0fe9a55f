import { invalid, required, unknownWord, within } from './field-error.ts'
import { type Combine, type ConnectionDetail, type Input, type Patch, patchType, type ReadinessCheck, type Template } from './input.ts'
import { validateTransform } from './validate-transform.ts'

/** Refuses an input that the function cannot work with; the first mistake found is told. What it overlooks fails later, as in Go. */
export function validateInput(input: Input): void {
  for (const { name, patches } of input.patchSets ?? []) {
    if ((name ?? '') === '') throw required('name', 'name is required')
    patches?.forEach((patch, i) => validatePatch(patch, `patches[${i}]`, 'PatchSetPatch'))
  }
  const resources = input.resources ?? []
  const patches = input.environment?.patches ?? []
  if (resources.length === 0 && patches.length === 0) throw required('resources', 'resources or environment patches are required')
  resources.forEach((template, i) => validateTemplate(template, `resources[${i}]`))
  patches.forEach((patch, i) => validateEnvironmentPatch(patch, `environment.patches[${i}]`))
}

function validateTemplate(template: Template, path: string): void {
  if ((template.name ?? '') === '') throw required(within(path, 'name'), 'name is required')
  template.patches?.forEach((patch, i) => validatePatch(patch, `${path}.patches[${i}]`, 'ComposedPatch'))
  template.connectionDetails?.forEach((detail, i) => validateConnectionDetail(detail, `${path}.connectionDetails[${i}]`))
  template.readinessChecks?.forEach((check, i) => validateReadinessCheck(check, `${path}.readinessChecks[${i}]`))
}

const ENVIRONMENT_TYPES: ReadonlySet<string> = new Set([
  'FromCompositeFieldPath',
  'ToCompositeFieldPath',
  'CombineFromComposite',
  'CombineToComposite',
  'FromEnvironmentFieldPath',
  'ToEnvironmentFieldPath',
])

function validateEnvironmentPatch(patch: Patch, path: string): void {
  const type = patchType(patch)
  if (!ENVIRONMENT_TYPES.has(type)) throw unknownWord(`${path}[type]`, type, 'invalid environment patch type')
  validatePatch(patch, path, 'EnvironmentPatch')
}

const TARGET_POLICIES: ReadonlySet<string> = new Set([
  'Replace',
  'MergeObjects',
  'MergeObjectsAppendArrays',
  'ForceMergeObjects',
  'ForceMergeObjectsAppendArrays',
  'MergeObject',
  'AppendArray',
])

function validatePatch(patch: Patch, path: string, goType: string): void {
  const type = patchType(patch)
  switch (type) {
    case 'FromCompositeFieldPath':
    case 'ToCompositeFieldPath':
    case 'FromEnvironmentFieldPath':
    case 'ToEnvironmentFieldPath':
      if ((patch.fromFieldPath ?? '') === '')
        throw required(within(path, 'fromFieldPath'), `fromFieldPath must be set for patch type ${type}`)
      break
    case 'PatchSet':
      if (goType !== 'ComposedPatch')
        throw unknownWord(within(path, 'type'), type, `patch type *v1beta1.${goType} does not support patch of type ${type}`)
      if ((patch.patchSetName ?? '') === '') throw required(within(path, 'patchSetName'), `patchSetName must be set for patch type ${type}`)
      break
    case 'CombineFromComposite':
    case 'CombineToComposite':
    case 'CombineFromEnvironment':
    case 'CombineToEnvironment':
      if (patch.combine === undefined) throw required(within(path, 'combine'), `combine must be set for patch type ${type}`)
      if ((patch.toFieldPath ?? patch.fromFieldPath ?? '') === '')
        throw required(within(path, 'toFieldPath'), `toFieldPath must be set for patch type ${type}`)
      // Transforms and policy of these are looked at when they are used, or never.
      validateCombine(patch.combine, within(path, 'combine'))
      return
    default:
      throw unknownWord(within(path, 'type'), type, 'unknown patch type')
  }
  patch.transforms?.forEach((transform, i) => validateTransform(transform, within(path, `transforms[${i}]`)))
  if (patch.policy === undefined) return
  const { toFieldPath = 'Replace', fromFieldPath = 'Optional' } = patch.policy
  if (!TARGET_POLICIES.has(toFieldPath))
    throw unknownWord(within(path, 'policy.toFieldPathPolicy'), toFieldPath, 'unknown toFieldPathPolicy')
  if (fromFieldPath !== 'Required' && fromFieldPath !== 'Optional')
    throw unknownWord(within(path, 'policy.fromFieldPathPolicy'), fromFieldPath, 'unknown fromFieldPathPolicy')
}

function validateCombine({ strategy = '', string, variables = [] }: Combine, path: string): void {
  if (strategy === '') throw required(within(path, 'strategy'), 'a combine strategy must be provided')
  if (strategy !== 'string') throw unknownWord(within(path, 'strategy'), strategy, 'unknown strategy type')
  if (string === undefined) throw required(within(path, 'string'), `string must be set for combine strategy ${strategy}`)
  if (variables.length === 0) throw required(within(path, 'variables'), 'at least one variable must be provided')
  variables.forEach(({ fromFieldPath = '' }, i) => {
    if (fromFieldPath === '')
      throw required(within(path, `variables[${i}].fromFieldPath`), 'fromFieldPath must be set for each combine variable')
  })
}

const CHECKS: ReadonlySet<string> = new Set([
  'NonEmpty',
  'MatchString',
  'MatchInteger',
  'MatchTrue',
  'MatchFalse',
  'MatchCondition',
  'None',
])

export function validateReadinessCheck(check: ReadinessCheck, path: string): void {
  const { type = '', matchCondition } = check
  if (!CHECKS.has(type)) throw invalid(within(path, 'type'), type, 'unknown readiness check type')
  if (type === 'None') return
  if (type === 'MatchString' && check.matchString === undefined)
    throw required(within(path, 'matchString'), 'cannot be nil for type MatchString')
  if (type === 'MatchInteger' && check.matchInteger === undefined)
    throw required(within(path, 'matchInteger'), 'cannot be nil for type MatchInteger')
  if (type === 'MatchCondition') {
    if (matchCondition === undefined) return
    if ((matchCondition.type ?? '') === '') throw required(within(path, 'matchCondition.type'), 'cannot be empty for type MatchCondition')
    if ((matchCondition.status ?? '') === '')
      throw required(within(path, 'matchCondition.status'), 'cannot be empty for type MatchCondition')
    return
  }
  if (check.fieldPath === undefined) throw required(within(path, 'fieldPath'), 'cannot be empty')
}

function validateConnectionDetail(detail: ConnectionDetail, path: string): void {
  const { type = '', name = '' } = detail
  if (type === '') throw required(within(path, 'type'), 'connection detail type is required')
  if (!['FromConnectionSecretKey', 'FromFieldPath', 'FromValue'].includes(type))
    throw invalid(within(path, 'type'), type, 'unknown connection detail type')
  if (name === '') throw required(within(path, 'name'), 'name is required')
  if (type === 'FromValue' && detail.value === undefined) throw required(within(path, 'value'), 'value connection detail requires a value')
  if (type === 'FromConnectionSecretKey' && detail.fromConnectionSecretKey === undefined)
    throw required(within(path, 'fromConnectionSecretKey'), 'from connection secret key connection detail requires a key')
  if (type === 'FromFieldPath' && detail.fromFieldPath === undefined)
    throw required(within(path, 'fromFieldPath'), 'from field path connection detail requires a field path')
}
