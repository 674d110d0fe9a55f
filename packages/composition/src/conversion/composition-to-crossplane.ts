import { childPath, getOwn, gvkOf, indexPath, isJsonObject, type JsonObject, type KubeObject, specOf } from '@weft/api'
import { patchesOf } from '../normalise/class.ts'
import { type ComposedKind, type ComposedKinds, kindKey, publishes } from './composed-kind.ts'
import type { Tell } from './loss.ts'
import { movePath, moveSpec } from './machinery.ts'
import { authoredMetadata } from './metadata.ts'
import { movePatches, textAt, withoutSets } from './patches.ts'
import { defaultChecks, withStatus } from './readiness.ts'
import { resourceNames } from './resource-names.ts'
import { listOf } from './list-of.ts'

export const PATCH_AND_TRANSFORM = 'function-patch-and-transform'

/** The same templates as the input of the function that knows them. Its own checks say when each is ready, so that it is the only function. */
export function compositionToCrossplane(composition: KubeObject, kinds: ComposedKinds, tell: Tell): KubeObject {
  const spec = specOf(composition)
  const from = spec['from'] as { readonly apiVersion: string; readonly kind: string }
  const composite = kinds.get(kindKey(gvkOf(from)))
  const templates = listOf(spec['to'])
  const names = resourceNames(templates)
  const sets = listOf(spec['patchSets'])
  const patchSets = sets.map((set, i) => ({
    name: set['name'],
    patches: movePatches(set['patches'], { composite, composed: undefined }, 'crossplane', { path: `spec.patchSets[${i}].patches`, tell }),
  }))
  const resources = templates.map((template, i) =>
    templateToCrossplane(template, String(names[i]), { composite, kinds, sets, path: indexPath('spec.to', i), tell }),
  )
  const secrets = spec['writeConnectionSecretsToNamespace']
  if (secrets !== undefined && !publishes(composite))
    tell('spec.writeConnectionSecretsToNamespace', 'composites of this definition have no connection secret')
  return {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: authoredMetadata(composition),
    spec: {
      compositeTypeRef: from,
      ...(secrets !== undefined && publishes(composite) && { writeConnectionSecretsToNamespace: secrets }),
      mode: 'Pipeline',
      pipeline: [
        {
          step: 'resources',
          functionRef: { name: PATCH_AND_TRANSFORM },
          input: {
            apiVersion: 'pt.fn.crossplane.io/v1beta1',
            kind: 'Resources',
            ...(patchSets.length > 0 && { patchSets }),
            resources,
          },
        },
      ],
    },
  } as unknown as KubeObject
}

interface Context {
  readonly composite: ComposedKind | undefined
  readonly kinds: ComposedKinds
  readonly sets: readonly JsonObject[]
  readonly path: string
  readonly tell: Tell
}

function templateToCrossplane(template: JsonObject, name: string, { composite, kinds, sets, path, tell }: Context): JsonObject {
  const base = template['base'] as JsonObject
  const kind = gvkOf(base as unknown as KubeObject)
  const composed = kinds.get(kindKey(kind))
  const given = patchesOf(template)
  // A set is moved for all who use it: of a resource whose fields move as well, its patches stand in its place.
  const written = composed === undefined ? listOf(given.value) : withoutSets(listOf(given.value), sets)
  const patches = movePatches(written, { composite, composed }, 'crossplane', { path: childPath(path, given.name), tell })
  const named = namedSecret(base, name, { patches: withoutSets(patches, sets), path, tell })
  const details = publishes(composite) ? listOf(template['connectionDetails']).map((detail) => detailToCrossplane(detail, composed)) : []
  const checks = listOf(template['readinessChecks'])
  const possible = checks.filter((check, i) => {
    const isPossible = check['type'] !== 'MatchInteger'
    if (!isPossible)
      tell(
        `${path}.readinessChecks[${i}]`,
        `${PATCH_AND_TRANSFORM} does not accept a number that it observes as an integer, so the resource would never become ready: the check is left out`,
      )
    return isPossible
  })
  const readiness = checks.length > 0 ? possible.map((check) => withStatus(movedCheck(check, composed))) : defaultChecks(kind)
  return {
    name,
    base: baseToCrossplane(base, composed, { path: childPath(path, 'base'), tell }),
    ...((patches.length > 0 || named !== undefined) && { patches: [...patches, ...(named === undefined ? [] : [named])] }),
    ...(details.length > 0 && { connectionDetails: details }),
    ...(readiness !== undefined && readiness.length > 0 && { readinessChecks: readiness }),
  } as JsonObject
}

/** Weft uses labels and annotations of a base's metadata and nothing else; the function would use all of it. */
function baseToCrossplane(
  base: JsonObject,
  kind: ComposedKind | undefined,
  place: { readonly path: string; readonly tell: Tell },
): JsonObject {
  const { metadata, spec, ...rest } = base
  const meta = isJsonObject(metadata) ? Object.entries(metadata).filter(([key]) => key === 'labels' || key === 'annotations') : []
  const moved =
    kind !== undefined && isJsonObject(spec) ? moveSpec(spec, kind, 'crossplane', { ...place, path: childPath(place.path, 'spec') }) : spec
  return {
    ...rest,
    ...(kind?.renamed !== undefined && { kind: kind.renamed }),
    ...(meta.length > 0 && { metadata: Object.fromEntries(meta) }),
    ...(moved !== undefined && { spec: moved }),
  } as JsonObject
}

/** A secret without a name is called after its resource here; there, nobody names it, and the resource would be refused. */
function namedSecret(
  base: JsonObject,
  name: string,
  { patches, path, tell }: { readonly patches: readonly JsonObject[]; readonly path: string; readonly tell: Tell },
): JsonObject | undefined {
  const spec = getOwn(base, 'spec')
  const ref = isJsonObject(spec) ? getOwn(spec, 'writeConnectionSecretToRef') : undefined
  const isWritten = patches.some((patch) => patch['toFieldPath'] === 'spec.writeConnectionSecretToRef.name')
  if (!isJsonObject(ref) || textAt(ref, 'name') !== undefined || isWritten) return undefined
  tell(
    `${path}.base.spec.writeConnectionSecretToRef.name`,
    `Weft names the secret after the resource: it becomes the uid of the composite and -${name}`,
  )
  return {
    type: 'FromCompositeFieldPath',
    fromFieldPath: 'metadata.uid',
    toFieldPath: 'spec.writeConnectionSecretToRef.name',
    transforms: [{ type: 'string', string: { type: 'Format', fmt: `%s-${name.replaceAll('%', '%%')}` } }],
  }
}

function detailToCrossplane(detail: JsonObject, kind: ComposedKind | undefined): JsonObject {
  const key = textAt(detail, 'fromConnectionSecretKey')
  const path = textAt(detail, 'fromFieldPath')
  const type =
    textAt(detail, 'type') ?? (key !== undefined ? 'FromConnectionSecretKey' : path !== undefined ? 'FromFieldPath' : 'FromValue')
  return {
    ...detail,
    name: textAt(detail, 'name') ?? key ?? '',
    type,
    ...(path !== undefined && { fromFieldPath: movePath(path, kind, 'crossplane') ?? path }),
  }
}

function movedCheck(check: JsonObject, kind: ComposedKind | undefined): JsonObject {
  const path = textAt(check, 'fieldPath')
  return path === undefined ? check : { ...check, fieldPath: movePath(path, kind, 'crossplane') ?? path }
}

/** Fields of a composite's status that the templates of a Composition write. */
export function writtenStatus(composition: KubeObject): readonly string[] {
  const spec = specOf(composition)
  const lists = [
    ...listOf(spec['to']).map((template) => patchesOf(template).value),
    ...listOf(spec['patchSets']).map((set) => set['patches']),
  ]
  return lists.flatMap((patches) =>
    listOf(patches).flatMap((patch) => {
      const target = textAt(patch, 'toFieldPath') ?? textAt(patch, 'fromFieldPath') ?? ''
      const field = /^\.?status\.([^.[\]]+)/.exec(target)?.[1]
      return String(patch['type']).includes('ToComposite') && field !== undefined ? [field] : []
    }),
  )
}
