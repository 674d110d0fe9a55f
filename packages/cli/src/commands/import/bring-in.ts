import { type KubeObject, PAUSED } from '@weft/api'
import { secretStateStore } from '@weft/bridge'
import { toBase64 } from '@weft/composition'
import type { Cluster } from '../../cluster/index.ts'
import { formatTable } from '../../output/index.ts'
import { withProgress } from '../../progress.ts'
import { ADDRESS, EXTERNAL_NAME, IMPORTING, LINEAGE } from './annotations.ts'
import type { Imported } from './manifests.ts'

export interface BringInOptions {
  readonly lineage: string | undefined
}

/**
 * Writes the objects. Each is paused until its state is there: whoever looks at it before would import it by its name, and what the provider keeps for
 * itself would be lost. Killed at any point it can be called again, and goes on where it was.
 */
export async function bringIn(cluster: Cluster, imported: readonly Imported[], options: BringInOptions): Promise<number> {
  if (imported.length === 0) return 0
  const rows: string[][] = []
  let refused = 0
  let news = 0
  await withProgress('importing', async (tell) => {
    for (const [i, each] of imported.entries()) {
      tell(`${i + 1} of ${imported.length}`)
      const outcome = await bring(cluster, each, options)
      if (outcome.refused) refused++
      if (outcome.isNew) news++
      rows.push([each.resource.address, each.kind.kind, each.object.metadata.name ?? '', outcome.text])
    }
  })
  process.stdout.write(formatTable([['ADDRESS', 'KIND', 'NAME', 'OUTCOME'], ...rows]))
  if (refused === 0 && news > 0)
    process.stdout.write(
      '\nThey only observe, and change nothing. weft import terraform FILE --take-over lets Weft manage them, after a plan.\n',
    )
  return refused === 0 ? 0 : 1
}

interface Outcome {
  readonly text: string
  readonly refused: boolean
  /** It was not there before. */
  readonly isNew: boolean
}

async function bring(
  { client }: Cluster,
  { resource, kind, object, secret, state }: Imported,
  { lineage }: BringInOptions,
): Promise<Outcome> {
  const { name = '' } = object.metadata
  const mapping = { group: kind.group, kind: kind.kind }
  const existing = await client.find(mapping, { name })
  const conflict = existing === undefined ? undefined : conflictWith(existing, object, lineage)
  if (conflict !== undefined) return { text: `left as it is: ${conflict}`, refused: true, isNew: false }
  const isUnderWay = existing?.metadata.annotations?.[IMPORTING] === 'true'
  if (existing !== undefined && !isUnderWay) return { text: 'there already', refused: false, isNew: false }
  const held: KubeObject = {
    ...object,
    metadata: {
      ...object.metadata,
      annotations: {
        ...object.metadata.annotations,
        ...(lineage !== undefined && { [LINEAGE]: lineage }),
        [PAUSED]: 'true',
        [IMPORTING]: 'true',
      },
    },
  }
  const made = existing ?? (await client.create(held))
  if (secret !== undefined) {
    const { apiVersion, kind: ownerKind, metadata } = made
    await client.apply(
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {
          namespace: secret.namespace,
          name: secret.name,
          ownerReferences: [{ apiVersion, kind: ownerKind, name, uid: metadata.uid ?? '' }],
        },
        type: 'Opaque',
        data: Object.fromEntries(Object.entries(secret.data).map(([key, value]) => [key, toBase64(Buffer.from(value))])),
      },
      { force: true },
    )
  }
  // Without what the provider keeps for itself a state is not whole: then the provider is asked for it by its name, and answers all of it.
  const byName = resource.form === 'plain' && nameOf(object) !== undefined
  if (!byName)
    await secretStateStore(client).save(made, {
      type: resource.type,
      provider: resource.provider,
      externalName: object.metadata.annotations?.[EXTERNAL_NAME],
      ...(resource.tainted && { tainted: 'it is tainted in the state that it was imported from' }),
      state: { ...state, private: resource.private, identity: resource.identity },
    })
  await client.patch(mapping, { name }, { type: 'merge', body: { metadata: { annotations: { [PAUSED]: null, [IMPORTING]: null } } } })
  return { text: 'imported', refused: false, isNew: true }
}

/** An object of that name that is something else. */
function conflictWith(existing: KubeObject, wanted: KubeObject, lineage: string | undefined): string | undefined {
  const [has, wants] = [existing.metadata.annotations ?? {}, wanted.metadata.annotations ?? {}]
  const { name = '' } = existing.metadata
  if (has[ADDRESS] === undefined) return `${existing.kind} ${name} exists, and was not imported; give --prefix`
  const isOther =
    has[ADDRESS] !== wants[ADDRESS] ||
    (has[LINEAGE] !== undefined && lineage !== undefined && has[LINEAGE] !== lineage) ||
    (nameOf(existing) !== undefined && nameOf(wanted) !== undefined && nameOf(existing) !== nameOf(wanted))
  return isOther ? `${existing.kind} ${name} was imported from another state; give --prefix` : undefined
}

/** Its external name, unless that only repeats its address in the state, for want of an id of its own. */
function nameOf({ metadata: { annotations = {} } }: KubeObject): string | undefined {
  const { [EXTERNAL_NAME]: name, [ADDRESS]: address } = annotations
  return name === address ? undefined : name
}
