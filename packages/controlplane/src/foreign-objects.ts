import { gvkOf, hasReason, isOfWeft, type KubeObject } from '@weft/api'
import { type Client, NoMatchError } from '@weft/client'

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
        'Nothing was changed. Use a cluster without another control plane of these names, or remove what is left of one;',
        '`weft install --check` lists what stands in the way, and what Weft would make or change.',
      ].join('\n'),
    )
    this.name = 'ForeignObjectsError'
    this.obstacles = obstacles
  }
}

/** Those of the objects that exist and are not Weft's, as they are. What may not be read is left to the write, which is refused then. */
export async function foreignAmong(client: Client, wanted: readonly KubeObject[]): Promise<readonly KubeObject[]> {
  const found = await Promise.all(wanted.map((object) => findLive(client, object)))
  return found.filter((live) => live !== undefined && !isOfWeft(live)) as readonly KubeObject[]
}

/** Throws a ForeignObjectsError unless each of the objects is absent or Weft's. Writes nothing. */
export async function mustBeWefts(client: Client, wanted: readonly KubeObject[]): Promise<void> {
  const foreign = await foreignAmong(client, wanted)
  if (foreign.length > 0) throw new ForeignObjectsError(foreign.map(obstacleOf))
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
