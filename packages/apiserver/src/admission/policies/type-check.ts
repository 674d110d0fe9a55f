import { setImmediate as yieldToRequests } from 'node:timers/promises'
import { formatGroupVersion, indexPath, parseGroupVersion, type Schema } from '@weft/api'
import { type CelType, declTypeFromSchema, PolicyScope } from '@weft/cel'
import { objectMetaSchema } from '../../apply/index.ts'
import type { Catalog, ResourceType } from '../../registry/index.ts'
import type { Rule } from '../matching/rules.ts'
import type { Policy, PolicySpec } from './policy-objects.ts'

export interface ExpressionWarning {
  readonly fieldRef: string
  readonly warning: string
}

const MAX_TYPES = 10
/** A policy says the same of each of its types, and each time with the expression: a status must not outgrow the policy by far. */
const MAX_WARNING_CHARACTERS = 256 * 1024
/** Expressions that are compiled before requests get a turn. */
const AT_ONCE = 50

/**
 * Compiles the validations of a policy against the schemas of the kinds that its rules name, and says where an expression
 * does not fit them. A policy works all the same: at run time everything is dyn.
 */
export async function checkTypes({ spec = {} }: Policy, catalog: Catalog): Promise<readonly ExpressionWarning[]> {
  const params = spec.paramKind === undefined ? undefined : paramsType(spec.paramKind, catalog)
  const checks = typesOf(spec, catalog).map((type) => ({ type, scope: scopeFor(spec, objectTypeOf(type), params) }))
  const warnings: ExpressionWarning[] = []
  let characters = 0
  let compiled = 0
  for (const [index, { expression, messageExpression = '' }] of (spec.validations ?? []).entries()) {
    const path = indexPath('spec.validations', index)
    for (const [field, source] of Object.entries({ expression, messageExpression })) {
      if (source === '') continue
      const problems: string[] = []
      for (const { type, scope } of checks) {
        const { message } = scope.compile(source)
        if (message !== undefined) problems.push(`${formatKind(type)}: ${message}\n`)
        if (++compiled % AT_ONCE === 0) await yieldToRequests()
      }
      if (problems.length === 0) continue
      const warning = problems.join('\n')
      if ((characters += warning.length) > MAX_WARNING_CHARACTERS) return warnings
      warnings.push({ fieldRef: `${path}.${field}`, warning })
    }
  }
  return warnings
}

const formatKind = ({ group, version, kind }: ResourceType): string => `${group}/${version}, Kind=${kind}`

function scopeFor({ variables = [], paramKind }: PolicySpec, object: CelType | undefined, params: CelType | undefined): PolicyScope {
  const scope = new PolicyScope({ authorizer: true, params: paramKind !== undefined, types: { object, params } })
  for (const { name, expression } of variables) if (scope.declare(name, expression).program === undefined) scope.declare(name, 'dyn(null)')
  return scope
}

function paramsType({ apiVersion, kind }: NonNullable<PolicySpec['paramKind']>, catalog: Catalog): CelType | undefined {
  const { group, version } = parseGroupVersion(apiVersion)
  const type = catalog.findKind(group, version, kind)
  return type === undefined ? undefined : objectTypeOf(type)
}

/** What is published of a type: custom resources have the metadata of all objects, whatever their schema says. */
function objectTypeOf({ kind, custom, schema }: ResourceType): CelType | undefined {
  if (schema === undefined) return undefined
  const properties = { ...schema.properties, apiVersion: TEXT, kind: TEXT, metadata: objectMetaSchema }
  return declTypeFromSchema(custom ? { ...schema, properties } : schema, { root: true, name: kind })?.type
}

const TEXT: Schema = { type: 'string' }

/** The kinds that rules name, in order; a rule with a wildcard names none. */
function typesOf({ matchConstraints }: PolicySpec, catalog: Catalog): readonly ResourceType[] {
  const found = new Map<string, ResourceType>()
  for (const rule of matchConstraints?.resourceRules ?? []) {
    for (const type of namedBy(rule, catalog)) found.set(`${formatGroupVersion(type)} ${type.kind}`, type)
    if (found.size >= MAX_TYPES) break
  }
  return [...found.values()].slice(0, MAX_TYPES).toSorted((a, b) => compareKinds(a, b))
}

function compareKinds(a: ResourceType, b: ResourceType): number {
  for (const part of ['group', 'version', 'kind'] as const) if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1
  return 0
}

function* namedBy({ apiGroups = [], apiVersions = [], resources = [] }: Rule, catalog: Catalog): Iterable<ResourceType> {
  if ([...apiGroups, ...apiVersions].some((each) => each.includes('*'))) return
  let found = 0
  for (const group of apiGroups.toSorted())
    for (const version of apiVersions.toSorted())
      for (const resource of resources.filter((each) => !/[*/]/.test(each)).toSorted()) {
        const type = catalog.find(group, version, resource)
        if (type === undefined) continue
        yield type
        if (++found === MAX_TYPES) return
      }
}
