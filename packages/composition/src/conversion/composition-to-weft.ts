import { childPath, deepEqual, getOwn, gvkOf, indexPath, isJsonObject, type JsonObject, type KubeObject, specOf } from '@weft/api'
import { readyByDefault } from '../readiness/ready.ts'
import { type ComposedKind, type ComposedKinds, kindKey, publishes } from './composed-kind.ts'
import { PATCH_AND_TRANSFORM } from './composition-to-crossplane.ts'
import type { Tell } from './loss.ts'
import { movePath, moveSpec } from './machinery.ts'
import { authoredMetadata } from './metadata.ts'
import { movePatches, textAt, withoutSets } from './patches.ts'
import { defaultChecks } from './readiness.ts'
import { resourceNames } from './resource-names.ts'
import { listOf } from './list-of.ts'

const AUTO_READY = 'function-auto-ready'

/** What a Function of this name runs: the last part of its package, or the name itself where the Function is not at hand. */
export type FunctionNames = (name: string) => string

/** The templates of a pipeline that consists of them; undefined where there are none. */
export function compositionToWeft(
  composition: KubeObject,
  kinds: ComposedKinds,
  functions: FunctionNames,
  tell: Tell,
): KubeObject | undefined {
  const spec = specOf(composition)
  const steps = listOf(spec['pipeline']).map((step, i) => {
    const ref = getOwn(step, 'functionRef')
    return { step, path: indexPath('spec.pipeline', i), runs: functions(String(isJsonObject(ref) ? ref['name'] : '')) }
  })
  const main = steps.find(({ runs }) => runs === PATCH_AND_TRANSFORM)
  if (main === undefined) {
    tell('spec.pipeline', `no step runs ${PATCH_AND_TRANSFORM}: a Composition without templates is left out`)
    return undefined
  }
  for (const one of steps) {
    const { step, path, runs } = one
    if (one !== main && runs !== AUTO_READY)
      tell(
        path,
        `a Composition of templates calls no functions: ${runs === PATCH_AND_TRANSFORM ? 'a second list of templates' : runs} is left out`,
      )
    else
      for (const field of ['credentials', 'requirements'])
        if (step[field] !== undefined) tell(childPath(path, field), 'a Composition of templates calls no functions')
  }
  const isAuto = steps.indexOf(main) < steps.findIndex(({ runs }) => runs === AUTO_READY)
  const input = getOwn(main.step, 'input')
  return templatesOf(composition, isJsonObject(input) ? input : {}, { kinds, isAuto, path: `${main.path}.input`, tell })
}

interface Context {
  readonly kinds: ComposedKinds
  /** function-auto-ready has the last word on what is ready. */
  readonly isAuto: boolean
  readonly path: string
  readonly tell: Tell
}

function templatesOf(composition: KubeObject, input: JsonObject, context: Context): KubeObject {
  const { kinds, path, tell } = context
  const spec = specOf(composition)
  const from = spec['compositeTypeRef'] as { readonly apiVersion: string; readonly kind: string }
  const composite = kinds.get(kindKey(gvkOf(from)))
  if (input['environment'] !== undefined) tell(`${path}.environment`, 'templates have no environment')
  if (input['writeConnectionSecretToRef'] !== undefined)
    tell(`${path}.writeConnectionSecretToRef`, 'Weft writes the connection secret where the composite says')
  const sets = listOf(input['patchSets'])
  const patchSets = sets.map((set, i) => ({
    name: set['name'],
    patches: movePatches(set['patches'], { composite, composed: undefined }, 'weft', { path: `${path}.patchSets[${i}].patches`, tell }),
  }))
  const given = listOf(input['resources'])
  const templates = given.flatMap((template, i) => {
    const at = `${path}.resources[${i}]`
    if (isJsonObject(template['base'])) return [{ template, at }]
    tell(`${at}.base`, 'a template of Weft has a base: what changes a resource of another function is left out')
    return []
  })
  const derived = resourceNames(templates.map(({ template }) => ({ base: template['base'] }) as JsonObject))
  const to = templates.map(({ template, at }, i) => {
    const moved = templateToWeft(template, { ...context, path: at, composite, sets })
    return template['name'] === derived[i] ? moved : { name: template['name'], ...moved }
  })
  return {
    apiVersion: 'apiextensions.crossplane.io/v1alpha1',
    kind: 'Composition',
    metadata: authoredMetadata(composition),
    spec: {
      from,
      to,
      ...(patchSets.length > 0 && { patchSets }),
      ...(spec['writeConnectionSecretsToNamespace'] !== undefined && {
        writeConnectionSecretsToNamespace: spec['writeConnectionSecretsToNamespace'],
      }),
    },
  } as unknown as KubeObject
}

function templateToWeft(
  template: JsonObject,
  {
    kinds,
    isAuto,
    path,
    tell,
    composite,
    sets,
  }: Context & { readonly composite: ComposedKind | undefined; readonly sets: readonly JsonObject[] },
): JsonObject {
  const base = template['base'] as JsonObject
  const composed = kinds.get(kindKey(gvkOf(base as unknown as KubeObject)))
  const written = composed === undefined ? listOf(template['patches']) : withoutSets(listOf(template['patches']), sets)
  const patches = movePatches(written, { composite, composed }, 'weft', { path: childPath(path, 'patches'), tell })
  const details = listOf(template['connectionDetails'])
  if (details.length > 0 && !publishes(composite))
    tell(
      `${path}.connectionDetails`,
      `${PATCH_AND_TRANSFORM} composes a Secret of these for a composite that has none of its own: it is left out`,
    )
  const checks = checksToWeft(template, { isAuto, composed, path, tell })
  return {
    base: baseToWeft(base, composed, { path: childPath(path, 'base'), tell }),
    ...(patches.length > 0 && { patches }),
    ...(details.length > 0 && publishes(composite) && { connectionDetails: details.map((detail) => detailToWeft(detail, composed)) }),
    ...(checks.length > 0 && { readinessChecks: checks }),
  } as JsonObject
}

function baseToWeft(
  base: JsonObject,
  kind: ComposedKind | undefined,
  { path, tell }: { readonly path: string; readonly tell: Tell },
): JsonObject {
  const { metadata, spec, ...rest } = base
  const meta = isJsonObject(metadata) ? Object.entries(metadata) : []
  for (const [key] of meta)
    if (key !== 'labels' && key !== 'annotations')
      tell(`${path}.metadata.${key}`, `Weft decides about metadata.${key} of what it composes, and ignores what a base says`)
  const kept = meta.filter(([key]) => key === 'labels' || key === 'annotations')
  const moved = kind !== undefined && isJsonObject(spec) ? moveSpec(spec, kind, 'weft', { path: childPath(path, 'spec'), tell }) : spec
  return {
    ...rest,
    ...(kind?.renamed !== undefined && { kind: kind.renamed }),
    ...(kept.length > 0 && { metadata: Object.fromEntries(kept) }),
    ...(moved !== undefined && { spec: moved }),
  } as JsonObject
}

function detailToWeft(detail: JsonObject, kind: ComposedKind | undefined): JsonObject {
  const { type, name, ...rest } = detail
  const path = textAt(rest, 'fromFieldPath')
  const moved = { ...rest, ...(path !== undefined && { fromFieldPath: movePath(path, kind, 'weft') ?? path }) }
  const sources = ['fromConnectionSecretKey', 'fromFieldPath', 'value'].filter((field) => moved[field as keyof typeof moved] !== undefined)
  return {
    ...(name !== undefined && name !== rest['fromConnectionSecretKey'] && { name }),
    ...(sources.length > 1 && { type }),
    ...moved,
  } as JsonObject
}

/** Of Kubernetes' own kinds, those that Weft takes for ready as function-auto-ready does. */
const READY_ALIKE: ReadonlySet<string> = new Set(['ConfigMap', 'Secret', 'ServiceAccount', 'Namespace'])

function checksToWeft(
  template: JsonObject,
  {
    isAuto,
    composed,
    path,
    tell,
  }: { readonly isAuto: boolean; readonly composed: ComposedKind | undefined; readonly path: string; readonly tell: Tell },
): readonly JsonObject[] {
  const base = template['base'] as JsonObject
  const kind = gvkOf(base as unknown as KubeObject)
  const given = listOf(template['readinessChecks']).map((check) => {
    const at = textAt(check, 'fieldPath')
    return at === undefined ? check : { ...check, fieldPath: movePath(at, composed, 'weft') ?? at }
  })
  if (deepEqual(given, defaultChecks(kind) ?? [])) {
    // Neither asks for more than Weft does by itself.
    if (given.length > 0 || !isAuto) return []
  } else if (given.length === 0 && !isAuto) return [{ type: 'MatchCondition', matchCondition: { type: 'Ready' } }]
  const isNone = given.some((check) => check['type'] === 'None') && given.length === 1
  if (isAuto && given.length > 0 && !isNone)
    tell(
      `${path}.readinessChecks`,
      `${AUTO_READY} also considers it ready when its condition Ready is True; with Weft these checks alone decide`,
    )
  const isAlike = readyByDefault(kind) === 'Ready' || (kind.group === '' && (READY_ALIKE.has(kind.kind) || isPlainService(base)))
  if (isAuto && given.length === 0 && !isAlike)
    tell(
      `${path}.base.kind`,
      `${AUTO_READY} knows when a ${kind.kind} is ready by its status; Weft goes by ${readyByDefault(kind) === undefined ? 'its existence' : `the condition ${String(readyByDefault(kind))}`}. Write readinessChecks`,
    )
  return given
}

function isPlainService(base: JsonObject): boolean {
  const spec = getOwn(base, 'spec')
  return base['kind'] === 'Service' && (!isJsonObject(spec) || spec['type'] !== 'LoadBalancer')
}
