import { addErrors, type FieldError, goQuote, isDns1035Label, isDns1123Subdomain, type Schema } from '@weft/api'
import { compileRules } from '@weft/cel'
import { forbidden, invalid, notSupported, required } from '../messages.ts'
import { hasRules, type RuleCompiler } from '../rules.ts'
import { childSchemas, nonStructuralReasons, unsupportedKeyword } from '../structure/structural.ts'
import { approvalErrors } from './approval.ts'
import { columnErrors, selectableFieldErrors, subresourceErrors } from './columns.ts'
import { conversionErrors } from './conversion.ts'
import { defaultValueErrors } from './default-values.ts'
import { missingNames, nameErrors } from './names.ts'
import { leniencyOf, type Leniency, STRICT } from './leniency.ts'
import { rootKeywordErrors } from './root-keywords.ts'
import { schemaErrors } from './schema.ts'
import { storedVersionErrors } from './stored-versions.ts'
import type { CrdSubresources, CrdValidation, CrdVersion, CustomResourceDefinition } from './types.ts'
import { printableVersions, type SpecView, viewOf } from './view.ts'

export interface CrdOptions {
  /** Compiles `x-kubernetes-validations`; CEL when absent. */
  readonly rules?: RuleCompiler
}

/**
 * All that kube-apiserver checks of a CustomResourceDefinition besides the general rules for metadata. Expects the
 * document decoded (`decodeCrd`) and defaulted (`defaultCrd`). With `old`, names become immutable, and what the old
 * definition already violated is not held against the new one.
 */
export function validateCrdSpec(crd: CustomResourceDefinition, old?: CustomResourceDefinition, options: CrdOptions = {}): FieldError[] {
  const lenient = old === undefined ? STRICT : leniencyOf(crd, old)
  const errors: FieldError[] = []
  const { spec } = crd
  if (old === undefined && crd.metadata.name && crd.metadata.name !== `${spec.names.plural}.${spec.group}`) {
    errors.push(invalid('metadata.name', crd.metadata.name, 'must be spec.names.plural+"."+spec.group'))
  }
  addErrors(errors, specErrors(crd, lenient, options))
  if (old !== undefined) addErrors(errors, immutableErrors(crd, old, lenient))
  if (crd.status?.acceptedNames !== undefined) addErrors(errors, nameErrors(crd.status.acceptedNames, 'status.acceptedNames'))
  addErrors(errors, storedVersionErrors(crd.status?.storedVersions, spec.versions, 'status.storedVersions'))
  addErrors(errors, approvalErrors(crd, old))
  if (spec.preserveUnknownFields === true && old?.spec.preserveUnknownFields !== true) {
    const why = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
    errors.push(invalid('spec.preserveUnknownFields', true, why))
  }
  return errors
}

function hasDefault(schema: Schema | undefined): boolean {
  return schema !== undefined && (schema.default !== undefined || childSchemas(schema).some(hasDefault))
}

function immutableErrors({ spec }: CustomResourceDefinition, { spec: old }: CustomResourceDefinition, lenient: Leniency): FieldError[] {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ...(lenient.isEstablished
      ? ([
          ['spec.scope', spec.scope, old.scope],
          ['spec.names.kind', spec.names.kind, old.names.kind],
        ] as const)
      : []),
    ['spec.group', spec.group, old.group],
    ['spec.names.plural', spec.names.plural, old.names.plural],
  ]
  return pairs.filter(([, now, before]) => now !== before).map(([path, now]) => invalid(path, now ?? '', 'field is immutable'))
}

function specErrors({ spec }: CustomResourceDefinition, lenient: Leniency, options: CrdOptions): FieldError[] {
  const errors: FieldError[] = []
  const view = viewOf(spec)
  if (!spec.group) errors.push(required('spec.group'))
  else {
    const reasons = isDns1123Subdomain(spec.group)
    if (reasons.length > 0) errors.push(invalid('spec.group', spec.group, reasons.join(',')))
    else if (!spec.group.includes('.')) errors.push(invalid('spec.group', spec.group, 'should be a domain with at least one dot'))
  }
  if (!spec.scope) errors.push(required('spec.scope'))
  else if (spec.scope !== 'Cluster' && spec.scope !== 'Namespaced')
    errors.push(notSupported('spec.scope', spec.scope, ['Cluster', 'Namespaced']))
  const preserves = spec.preserveUnknownFields === true
  if (preserves && spec.versions.some((version) => hasDefault(version.schema?.openAPIV3Schema))) {
    errors.push(invalid('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema'))
  }
  addErrors(errors, versionListErrors(view, lenient, options), missingNames(spec.names, 'spec.names'), nameErrors(spec.names, 'spec.names'))
  const statusEnabled = [view, ...view.versions].some(({ subresources }) => subresources?.status !== undefined)
  const unchanged = lenient.unchangedVersions.has(spec.versions?.[0]?.name ?? '')
  addErrors(errors, validationErrors(view.validation, { path: 'spec.validation', statusEnabled, unchanged, lenient, options }))
  addErrors(errors, subresourceErrors(view.subresources, 'spec.subresources'))
  for (const [index, column] of view.additionalPrinterColumns.entries()) {
    addErrors(errors, columnErrors(column, `spec.additionalPrinterColumns[${index}]`))
  }
  addErrors(errors, sharedSelectableErrors(view, lenient))
  if (preserves && spec.conversion !== undefined && spec.conversion.strategy !== 'None') {
    errors.push(invalid('spec.conversion.strategy', spec.conversion.strategy, 'must be None if spec.preserveUnknownFields is true'))
  }
  addErrors(
    errors,
    conversionErrors(spec.conversion, 'spec.conversion', {
      requireKnownReviewVersion: lenient.requireKnownReviewVersion,
      allowInvalidCaBundle: lenient.allowInvalidCaBundle,
    }),
  )
  return errors
}

function versionListErrors(view: SpecView, lenient: Leniency, options: CrdOptions): FieldError[] {
  const errors: FieldError[] = []
  if (view.validation?.openAPIV3Schema === undefined) {
    for (const [index, version] of view.versions.entries()) {
      if (version.schema?.openAPIV3Schema !== undefined) continue
      const at = `spec.versions[${index}].schema.openAPIV3Schema`
      if (lenient.requireSchema) errors.push(required(at))
      else if (version.served) errors.push(required(at, 'because otherwise all fields are pruned'))
    }
  }
  const perVersion = view.versions.some(({ subresources }) => subresources !== undefined)
  for (const [index, version] of view.versions.entries()) {
    const path = `spec.versions[${index}]`
    const reasons = isDns1035Label(version.name)
    if (reasons.length > 0) errors.push(invalid(`${path}.name`, version.name, reasons.join(',')))
    const subresources = perVersion ? version.subresources : view.subresources
    addErrors(errors, versionErrors(version, { path, subresources, lenient, options }))
  }
  const names = view.versions.map(({ name }) => name)
  if (new Set(names).size < names.length)
    errors.push(invalid('spec.versions', printableVersions(view), 'must contain unique version names'))
  if (view.versions.filter(({ storage }) => storage).length !== 1) {
    errors.push(invalid('spec.versions', printableVersions(view), 'must have exactly one version marked as storage version'))
  }
  // Shared parts are checked under the name of the first version, which is therefore checked once more.
  const firstReasons = view.versions[0]?.name ? isDns1035Label(view.versions[0].name) : []
  if (firstReasons.length > 0) errors.push(invalid('spec.version', view.versions[0]?.name, firstReasons.join(',')))
  return errors
}

interface VersionContext {
  readonly path: string
  readonly subresources: CrdSubresources | undefined
  readonly lenient: Leniency
  readonly options: CrdOptions
}

function versionErrors(version: CrdVersion, { path, subresources, lenient, options }: VersionContext): FieldError[] {
  const errors = warningErrors(version, `${path}.deprecationWarning`)
  const unchanged = lenient.unchangedVersions.has(version.name)
  const statusEnabled = subresources?.status !== undefined
  addErrors(errors, validationErrors(version.schema, { path: `${path}.schema`, statusEnabled, unchanged, lenient, options }))
  addErrors(errors, subresourceErrors(version.subresources, `${path}.subresources`))
  for (const [index, column] of (version.additionalPrinterColumns ?? []).entries()) {
    addErrors(errors, columnErrors(column, `${path}.additionalPrinterColumns[${index}]`))
  }
  const fields = version.selectableFields ?? []
  if (fields.length === 0) return errors
  const schema = version.schema?.openAPIV3Schema
  const at = `${path}.selectableFields`
  if (schema === undefined) return [...errors, invalid(at, '', 'may only be set when `version.schema.openAPIV3Schema` is not included')]
  return [...errors, ...selectableFieldErrors(fields, { schema, path: at, allowTooMany: lenient.tooManySelectable.has(version.name) })]
}

function sharedSelectableErrors(view: SpecView, lenient: Leniency): FieldError[] {
  if (view.selectableFields.length === 0) return []
  const path = 'spec.selectableFields'
  const schema = view.validation?.openAPIV3Schema
  if (schema === undefined) return [invalid(path, '', 'may only be set when validations.schema is included')]
  return selectableFieldErrors(view.selectableFields, { schema, path, allowTooMany: lenient.tooManySelectable.has('') })
}

function warningErrors({ deprecated, deprecationWarning: warning }: CrdVersion, path: string): FieldError[] {
  if (warning === undefined) return []
  if (deprecated !== true) return [invalid(path, warning, 'can only be set for deprecated versions')]
  const reasons: string[] = []
  if (warning.length > 256) reasons.push('must be <= 256 characters long')
  if (warning === '') reasons.push('must not be an empty string')
  let index = 0
  for (const char of warning) {
    if (char !== '"' && char !== '\\' && goQuote(char) !== `"${char}"`) {
      reasons.push(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`)
      break
    }
    index += new TextEncoder().encode(char).length
  }
  return reasons.map((reason) => invalid(path, warning, reason))
}

interface ValidationContext {
  readonly path: string
  readonly statusEnabled: boolean
  /** The schema is that of the old definition; costs of its rules were accepted before. */
  readonly unchanged: boolean
  readonly lenient: Leniency
  readonly options: CrdOptions
}

function validationErrors(validation: CrdValidation | undefined, context: ValidationContext): FieldError[] {
  const schema = validation?.openAPIV3Schema
  if (schema === undefined) return []
  const path = `${context.path}.openAPIV3Schema`
  const errors: FieldError[] = []
  if (context.statusEnabled) addErrors(errors, rootKeywordErrors(schema, path))
  if (schema.nullable === true) errors.push(forbidden(`${path}.nullable`, 'nullable cannot be true at the root'))
  const unusable = unsupportedKeyword(schema)
  let rulesReady = false
  if (unusable === undefined) {
    const reasons = nonStructuralReasons(schema, path)
    const { requirePrunedDefaults: requirePruned } = context.lenient
    const defaults =
      reasons.length > 0 ? [] : defaultValueErrors(schema, path, { requirePruned, rules: context.options.rules ?? compileRules })
    addErrors(errors, reasons, defaults)
    rulesReady = reasons.length === 0 && defaults.length === 0
  }
  addErrors(errors, schemaErrors(schema, path, context.lenient))
  if (errors.length === 0 && unusable !== undefined) errors.push(invalid(path, '', unusable))
  if (rulesReady && errors.length === 0) addErrors(errors, ruleIssues(schema, path, context))
  return errors
}

function ruleIssues(schema: Schema, path: string, { options, unchanged }: ValidationContext): FieldError[] {
  if (!hasRules(schema)) return []
  const { rules = compileRules } = options
  // The cost of a rule that is already in force is not held against an update.
  return rules(schema)
    .check(path)
    .errors.filter((error) => !(unchanged && error.type === 'FieldValueForbidden'))
}
