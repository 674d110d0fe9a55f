import {
  childPath,
  field,
  type FieldError,
  formatGroupKind,
  type GroupKind,
  type GroupVersionKind,
  gvkOf,
  indexPath,
  isJsonObject,
  type KubeObject,
  type Schema,
} from '@weft/api'
import type { CustomResourceDefinition } from '@weft/client'
import { type ComposedTemplate, contractErrors, type FieldPath, type Patch, type PatchSide, type Transform } from '@weft/composition'
import type { CompositeDefinition } from '../definition/kinds.ts'
import { isReservedGroup, type Nature, natureOf } from '../definition/nature.ts'
import { baseValues } from './base-values.ts'
import { parseComposition } from './composition-source.ts'
import { inactiveKind } from '../definition/inactive-kind.ts'
import { schemaOf } from './kind-index.ts'
import { APPLICATION, INFRASTRUCTURE } from './composite-type.ts'
import { fits, placeOf, typeOf } from '../definition/schema-path.ts'
import { outOfScope } from './scope.ts'
import { noEnvironment } from '../definition/no-environment.ts'
import { serviceAccountOf } from './settings.ts'
import { didYouMean } from '../spelling/misspelt-fields.ts'
import { misspeltTemplate } from '../spelling/misspelt-template.ts'

/** What is known of the kinds that a Composition is about. Whatever is not known (yet) is not checked. */
export interface CompositionSchemas {
  kind(kind: GroupVersionKind):
    | {
        readonly schema?: Schema | undefined
        readonly namespaced: boolean
        readonly nature: Nature
        validate?(object: KubeObject): readonly FieldError[]
      }
    | undefined
  /** The definition of the kind that is composed. `account`: it names one that members are made as. */
  definition(
    kind: GroupKind,
  ): { readonly namespaced: boolean; readonly account: boolean; readonly connectionDetails?: readonly string[] | undefined } | undefined
  /** The ManagedResourceDefinition of a kind that is not served because nobody activated it. */
  inactive?(kind: GroupKind): string | undefined
  /** Is it of a kind that is defined, and about to be served? */
  isComing?(kind: GroupVersionKind): boolean
}

/** An error keeps a Composition from ever working as it is; a warning tells of what may come to be right. */
export interface CompositionProblem {
  readonly severity: 'error' | 'warning'
  readonly error: FieldError
}

/**
 * Checks a Composition when it is applied, so that mistakes are told to its author and not, later, to whoever uses it: paths that no schema has,
 * values of a type that cannot be written there, promised connection details that are missing, resources out of scope. Pure; finds everything at once.
 */
export function checkComposition(composition: KubeObject, schemas: CompositionSchemas): readonly CompositionProblem[] {
  const source = parseComposition(composition)
  if (!source.ok) return source.error.map(asError)
  const { intent, templates } = source.value
  if (intent === undefined) return []
  const from = gvkOf(intent)
  const definition = schemas.definition(from)
  const composite = schemas.kind(from)
  const problems: CompositionProblem[] = []
  if (definition === undefined) problems.push(asWarning(field.invalid('spec.from', formatGroupKind(from), NOT_DEFINED)))
  else if (!definition.namespaced) problems.push(...contractErrors(definition.connectionDetails ?? [], templates).map(asError))
  for (const template of templates) {
    const kind = gvkOf(template.base)
    const base = childPath(template.origin, 'base')
    const why = scopeProblem(kind, schemas.kind(kind), definition)
    if (why !== undefined) problems.push(asError(field.forbidden(base, `${kind.kind} ${why}`)))
    problems.push(...checkTemplate(template, schemas, composite?.schema))
  }
  return problems
}

/** One template against the kinds on both sides of its patches. */
export function checkTemplate(
  template: ComposedTemplate,
  schemas: CompositionSchemas,
  composite: Schema | undefined,
): readonly CompositionProblem[] {
  const kind = gvkOf(template.base)
  const composed = schemas.kind(kind)
  const sides = { composite, composed: composed?.schema }
  return [
    ...(composed === undefined && schemas.isComing?.(kind) !== true
      ? [asWarning(notServed(childPath(template.origin, 'base'), kind, schemas))]
      : []),
    ...unknownFields(template, composed?.schema),
    ...misspeltTemplate(template, sides).map((misspelt) =>
      asWarning({ ...field.notFound(misspelt.path, ''), message: didYouMean(misspelt) }),
    ),
    ...baseValues(template, composed?.validate?.bind(composed)).map(asError),
    ...template.patches.flatMap((patch) => checkPatch(patch, sides)).map(asError),
  ]
}

function notServed(path: string, kind: GroupVersionKind, schemas: CompositionSchemas): FieldError {
  const definition = schemas.inactive?.(kind)
  return field.invalid(path, formatGroupKind(kind), definition === undefined ? notOffered(kind) : inactiveKind(kind, definition))
}

const NOT_DEFINED =
  'no such kind is defined here: apply its InfrastructureDefinition or ApplicationDefinition, or correct apiVersion and kind; nothing is composed until then'

const notOffered = ({ group, version, kind }: GroupVersionKind): string =>
  `no kind ${kind} of ${group === '' ? version : `${group}/${version}`} is served here: install the provider that offers it, publish the infrastructure that it requests, or correct apiVersion and kind`

/** Why no composite of this definition can ever have such a member. What lives in the cluster's scope is infrastructure, whatever composes it. */
function scopeProblem(
  kind: GroupKind,
  composed: ReturnType<CompositionSchemas['kind']>,
  definition: ReturnType<CompositionSchemas['definition']>,
): string | undefined {
  const { namespaced = composed?.namespaced, account = false } = definition ?? {}
  if (namespaced === undefined) return undefined
  // Of a kind that is not served only the group is known: one of Kubernetes itself never becomes infrastructure.
  if (composed === undefined && (namespaced || !isReservedGroup(kind.group))) return undefined
  const { namespaced: isNamespaced = namespaced, nature = 'other' } = composed ?? {}
  // Whose application it would be part of is not known.
  if (definition === undefined && isNamespaced) return undefined
  return outOfScope(namespaced ? APPLICATION : INFRASTRUCTURE, { ...kind, namespaced: isNamespaced, nature }, account)
}

const asError = (error: FieldError): CompositionProblem => ({ severity: 'error', error })
const asWarning = (error: FieldError): CompositionProblem => ({ severity: 'warning', error })

/** Fields of a base that its kind does not have: dropped without a word otherwise. */
function unknownFields({ base, origin }: ComposedTemplate, schema: Schema | undefined): readonly CompositionProblem[] {
  const found: CompositionProblem[] = []
  const walk = (value: unknown, node: Schema | undefined, path: string): void => {
    if (node === undefined || node['x-kubernetes-preserve-unknown-fields'] === true) return
    if (Array.isArray(value)) return value.forEach((item, i) => walk(item, node.items, indexPath(path, i)))
    if (!isJsonObject(value) || node.properties === undefined) return undefined
    for (const [key, member] of Object.entries(value)) {
      const child = Object.hasOwn(node.properties, key) ? node.properties[key] : undefined
      if (child === undefined && node.additionalProperties === undefined) found.push(asWarning(field.notFound(childPath(path, key), key)))
      else walk(member, child, childPath(path, key))
    }
  }
  if (schema?.properties !== undefined) walk(base['spec'], schema.properties['spec'], `${origin}.base.spec`)
  return found
}

type Sides = { readonly [side in Exclude<PatchSide, 'environment'>]: Schema | undefined }

function checkPatch(patch: Patch, sides: Sides): readonly FieldError[] {
  const refused = noEnvironment(patch)
  if (refused !== undefined) return [refused]
  const errors: FieldError[] = []
  const read = (path: FieldPath): string | undefined =>
    placed(patch.from, path, childPath(patch.origin, 'fromFieldPath'), { sides, errors })
  const inputs = patch.input.kind === 'field' ? [read(patch.input.path)] : patch.input.variables.map(read)
  const given = patch.input.kind === 'field' ? inputs[0] : 'string'
  const wanted = placed(patch.to, patch.toFieldPath, childPath(patch.origin, 'toFieldPath'), { sides, errors })
  if (errors.length > 0) return errors
  const result = transformed(given, patch.transforms, patch.origin)
  if (typeof result === 'object') return [result]
  if (!fits(result, wanted))
    errors.push(
      field.typeInvalid(
        childPath(patch.origin, 'toFieldPath'),
        patch.toFieldPath.text,
        `is ${wanted ?? ''}, but the patch writes ${result ?? ''}; add a transform`,
      ),
    )
  return errors
}

/** The type at the end of a path; notes a path that leads nowhere. */
function placed(
  side: PatchSide,
  path: FieldPath,
  where: string,
  { sides, errors }: { sides: Sides; errors: FieldError[] },
): string | undefined {
  const schema = side === 'environment' ? undefined : sides[side]
  if (schema === undefined) return undefined
  const place = placeOf(schema, path)
  if (place.known) return typeOf(place.schema)
  errors.push(field.invalid(where, path.text, `the ${side} resource has no field ${place.at}`))
  return undefined
}

/** The type after all transforms, where that can be told; what a transform cannot take is an error. */
function transformed(given: string | undefined, transforms: readonly Transform[], origin: string): string | undefined | FieldError {
  let type = given
  for (const [i, transform] of transforms.entries()) {
    const path = indexPath(childPath(origin, 'transforms'), i)
    if (transform.type === 'math' && type !== undefined && type !== 'integer' && type !== 'number')
      return field.typeInvalid(path, 'math', `takes numbers, but gets ${type}`)
    if (transform.type === 'map' && (type === 'object' || type === 'array'))
      return field.typeInvalid(path, 'map', `takes text, but gets ${type}`)
    type = transform.type === 'math' ? (type ?? 'number') : transform.type === 'string' ? 'string' : undefined
  }
  return type
}

/** Schemas from what is installed: CustomResourceDefinitions and definitions, however the caller keeps them. */
export function compositionSchemas(sources: {
  readonly crd: (kind: GroupKind) => CustomResourceDefinition | undefined
  readonly definition: (kind: GroupKind) => CompositeDefinition | undefined
  /** Kinds of Kubernetes itself. */
  readonly builtIn?: (kind: GroupVersionKind) => { readonly namespaced: boolean; readonly nature: 'other' } | undefined
}): CompositionSchemas {
  return {
    kind(kind) {
      const crd = sources.crd(kind)
      return crd === undefined
        ? sources.builtIn?.(kind)
        : { schema: schemaOf(crd, kind.version), namespaced: crd.spec.scope === 'Namespaced', nature: natureOf(crd) }
    },
    definition(kind) {
      const found = sources.definition(kind)
      return (
        found && {
          namespaced: found.kind === 'ApplicationDefinition',
          account: serviceAccountOf(found) !== undefined,
          connectionDetails: found.spec.connectionDetails,
        }
      )
    },
  }
}
