import { gvkOf, hasReason, isOfWeft, type KindDefinition, type KubeObject } from '@weft/api'
import { type Client, NoMatchError } from '@weft/client'
import { adoptKind, isKind } from './adoption/adopt-kind.ts'

/** Something that has a name that Weft needs, or that would get in its way, and is not Weft's. */
export interface Obstacle {
  /** `CustomResourceDefinition compositions.apiextensions.crossplane.io` */
  readonly object: string
  /** Who it seems to belong to, or what it does; may be empty. */
  readonly detail: string
}

/** Nothing was changed. The message names everything that stands in the way, and what to do. */
export class ForeignObjectsError extends Error {
  readonly obstacles: readonly Obstacle[]

  constructor(obstacles: readonly Obstacle[]) {
    const lines = obstacles.map(({ object, detail }) => `  ${object}${detail === '' ? '' : ` (${detail})`}`)
    super(
      [
        `Weft changes nothing that is not its own, and in this cluster ${obstacles.length === 1 ? 'this is' : `these ${obstacles.length} are`} in its way:`,
        ...lines,
        'Nothing was changed. Stop or remove what is named here, or use a cluster without it;',
        '`weft install --check` lists what stands in the way, and what Weft would create or change.',
      ].join('\n'),
    )
    this.name = 'ForeignObjectsError'
    this.obstacles = obstacles
  }
}

/** What exists of the objects and is not Weft's. */
export interface Foreign {
  /** Kinds of Crossplane's that can be shared: they are in nobody's way. */
  readonly shared: readonly KubeObject[]
  readonly obstacles: readonly Obstacle[]
}

/** What may not be read is left to the write, which is refused then. */
export async function foreignAmong(client: Client, wanted: readonly KubeObject[]): Promise<Foreign> {
  const found = await Promise.all(wanted.map(async (object) => ({ object, live: await findLive(client, object) })))
  const foreign = found.flatMap(({ object, live }) => (live === undefined || isOfWeft(live) ? [] : [{ object, live }]))
  const isShared = ({ object, live }: (typeof foreign)[number]): boolean =>
    isKind(live) && adoptKind(live, object as KindDefinition).type === 'adopt'
  return {
    shared: foreign.filter(isShared).map(({ live }) => live),
    obstacles: foreign.filter((each) => !isShared(each)).map(({ object, live }) => obstacleTo(live, object)),
  }
}

/** Throws a ForeignObjectsError unless each of the objects is absent, Weft's, or a kind that can be shared. Writes nothing. */
export async function mustBeUsable(client: Client, wanted: readonly KubeObject[]): Promise<void> {
  const { obstacles } = await foreignAmong(client, wanted)
  if (obstacles.length > 0) throw new ForeignObjectsError(obstacles)
}

export async function findLive(client: Client, object: KubeObject): Promise<KubeObject | undefined> {
  const { name = '', namespace } = object.metadata
  try {
    return await client.find(gvkOf(object), { name, namespace })
  } catch (error) {
    // A server without the kind has none of it, either.
    if (error instanceof NoMatchError || hasReason(error, 'Forbidden')) return undefined
    throw error
  }
}

export function obstacleOf(live: KubeObject): Obstacle {
  const { name = '', namespace } = live.metadata
  return { object: `${live.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`, detail: detailOf(live) }
}

/** What is in the way of the object that Weft wants, and why the two cannot be one. */
export function obstacleTo(live: KubeObject, wanted: KubeObject): Obstacle {
  const { object, detail } = obstacleOf(live)
  const adoption = isKind(live) && isKind(wanted) ? adoptKind(live, wanted as unknown as KindDefinition) : undefined
  const reason = adoption?.type === 'refuse' ? adoption.reason : ''
  return { object, detail: [detail, reason].filter((part) => part !== '').join('; ') }
}

function detailOf(live: KubeObject): string {
  const managers = new Set((live.metadata.managedFields ?? []).map((entry) => (entry as { manager?: string }).manager ?? ''))
  const written = [...managers].filter((manager) => manager !== '' && manager !== 'kube-apiserver')
  const { versions = [] } = (live['spec'] ?? {}) as { versions?: readonly { name: string; storage?: boolean }[] }
  const stored = Array.isArray(versions) ? versions.filter(({ storage }) => storage === true).map(({ name }) => name) : []
  return [
    ...(stored.length > 0 ? [`stored as ${stored.join(', ')}`] : []),
    ...(written.length > 0 ? [`written by ${written.slice(0, 3).join(', ')}`] : []),
  ].join('; ')
}
