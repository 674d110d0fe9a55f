import { forbidden, formatGroupKind, type KubeObject, parseGroupVersion, type StatusError } from '@weft/api'
import {
  ALLOW_UNINSTALL,
  BEARING_KINDS,
  CONFIRM_DELETION,
  confirmedCount,
  type Doomed,
  doomedByPackage,
  PACKAGE_GROUP,
  SORTS,
} from '@weft/controllers'
import type { Existing } from './existing.ts'

/** Kinds named in a message. */
const NAMED = 3
/** Kinds asked for at a time: there may be hundreds, and an API server waits for seconds only. */
const AT_ONCE = 8

export const isPackage = ({ apiVersion, kind }: KubeObject): boolean =>
  parseGroupVersion(apiVersion).group === PACKAGE_GROUP && SORTS.some(({ type }) => type === kind)

/**
 * A package that is in use is deleted only by whoever confirms how much goes with it. Let through and held back instead, it would go by itself
 * when the last resource has gone, long after anybody meant it.
 */
export async function refusePackageDeletion(object: KubeObject, plural: string, existing: Existing): Promise<StatusError | undefined> {
  const { name = '', annotations } = object.metadata
  if (annotations?.[ALLOW_UNINSTALL] === 'true') return undefined
  const bearing = await Promise.all(BEARING_KINDS.map((kind) => existing.objects(kind)))
  const used = await usesOf(doomedByPackage(object, bearing.flat()), existing)
  const total = used.reduce((sum, { count }) => sum + count, 0)
  if (total <= confirmedCount(object)) return undefined
  const named = used.slice(0, NAMED).map(({ count, doomed }) => `${count} of ${formatGroupKind(doomed.kind)}`)
  const more = used.length > NAMED ? ` and ${used.length - NAMED} more kinds` : ''
  const them = total === 1 ? 'it' : 'them'
  const orphans = used.some(({ doomed }) => doomed.effect === 'orphans') ? ', or leave composites without their composition' : ''
  return forbidden(
    { group: PACKAGE_GROUP, resource: plural, name },
    `it is in use: there ${total === 1 ? 'is' : 'are'} ${named.join(', ')}${more}, and this would delete ${them} and everything that ${total === 1 ? 'it represents' : 'they represent'}${orphans}. Delete ${them} first. To delete the package with ${total === 1 ? 'it' : `all ${total}`}: kubectl annotate --overwrite ${plural}.${PACKAGE_GROUP} ${name} ${CONFIRM_DELETION}=${total}, then delete it again`,
  )
}

interface Use {
  readonly doomed: Doomed
  readonly count: number
}

async function usesOf(all: readonly Doomed[], existing: Existing): Promise<readonly Use[]> {
  const uses: Use[] = []
  for (let i = 0; i < all.length; i += AT_ONCE)
    uses.push(
      ...(await Promise.all(
        all.slice(i, i + AT_ONCE).map(async (doomed) => {
          const { kind, matches = () => true } = doomed
          const objects = await existing.objects(kind)
          return { doomed, count: objects.filter((each) => each.metadata.deletionTimestamp === undefined && matches(each)).length }
        }),
      )),
    )
  return uses.filter(({ count }) => count > 0)
}
