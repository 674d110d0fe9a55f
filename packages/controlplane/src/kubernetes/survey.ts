import { isOfWeft, type KubeObject, weftKinds } from '@weft/api'
import { type Client, customResourceDefinitionKind } from '@weft/client'
import { AUDIENCES, contribution, kindsRoleName } from '@weft/controllers'
import { adoptKind } from '../adoption/adopt-kind.ts'
import { findLive, foreignAmong, ForeignObjectsError, type Obstacle, obstacleOf } from '../foreign-objects.ts'
import { covers, releasedKinds, upgradeOf } from '../install-kinds.ts'
import { type NewerKind, newerKinds } from '../newer-kinds.ts'
import { kubernetesManifests, type ManifestOptions, type Part } from './manifests.ts'
import { crossplaneAtWork, judges } from './neighbours.ts'
import { certificateSecret } from './webhook-certificates.ts'

/** What an installation would do. */
export interface Survey {
  readonly obstacles: readonly Obstacle[]
  /** Kinds of a newer release that this one cannot work with. */
  readonly newer: readonly NewerKind[]
  /** `Deployment crossplane-system/weft`, each with what would become of it. */
  readonly changes: readonly { readonly object: string; readonly change: 'create' | 'change' }[]
  readonly unchanged: number
}

export interface SurveyOptions extends ManifestOptions {
  readonly without?: readonly Part[]
}

/** Looks at a cluster before Weft is installed there, and changes nothing. */
export async function surveyInstallation(client: Client, { without = [], ...options }: SurveyOptions): Promise<Survey> {
  const manifests = kubernetesManifests(options).flatMap(({ part, object }) => (without.includes(part) ? [] : [object]))
  const wanted: readonly KubeObject[] = [...releasedKinds(), ...manifests]
  const obstacles = await obstaclesTo(client, [...wanted, ...lateObjects(options.namespace)])
  const blocked = new Set(obstacles.map(({ object }) => object))
  const changes: Survey['changes'][number][] = []
  let unchanged = 0
  for (const object of wanted) {
    const { object: name } = obstacleOf(object)
    if (blocked.has(name)) continue
    const live = await findLive(client, object)
    if (live === undefined) changes.push({ object: name, change: 'create' })
    else if (isChanged(live, object)) changes.push({ object: name, change: 'change' })
    else unchanged++
  }
  return { obstacles, newer: await newerKinds(client), changes, unchanged }
}

/** Throws a ForeignObjectsError where `weft install` or `weft start` would get in the way of somebody else. Writes nothing. */
export async function mustHaveRoom(client: Client, wanted: readonly KubeObject[]): Promise<void> {
  const obstacles = await obstaclesTo(client, wanted)
  if (obstacles.length > 0) throw new ForeignObjectsError(obstacles)
}

async function obstaclesTo(client: Client, wanted: readonly KubeObject[]): Promise<readonly Obstacle[]> {
  // A namespace belongs to everybody who is in it, and Weft only makes it.
  const { obstacles, shared } = await foreignAmong(
    client,
    wanted.filter(({ kind }) => kind !== 'Namespace'),
  )
  // Once it is installed, others may well judge what it serves.
  const isFirst = (
    await Promise.all(weftKinds.map(({ metadata }) => client.find(customResourceDefinitionKind, { name: metadata.name ?? '' })))
  ).some((installed) => installed === undefined)
  return [
    ...obstacles,
    ...(isFirst || obstacles.length > 0 || shared.length > 0 ? await crossplaneAtWork(client) : []),
    ...(isFirst || obstacles.length > 0 ? await judges(client) : []),
  ]
}

/** What `weft start` makes once it runs. */
export const lateObjects = (namespace: string): readonly KubeObject[] => [
  certificateSecret(namespace),
  ...AUDIENCES.map((audience) => contribution(kindsRoleName(audience), audience, [])),
]

function isChanged(live: KubeObject, wanted: KubeObject): boolean {
  if (wanted.kind === 'CustomResourceDefinition') {
    if (isOfWeft(live)) return upgradeOf(live as never, wanted as never) !== undefined
    const adoption = adoptKind(live as never, wanted as never)
    return adoption.type === 'adopt' && adoption.kind !== live
  }
  const { apiVersion: _version, ...rest } = wanted
  return !covers(live, rest)
}
