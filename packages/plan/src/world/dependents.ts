import { DEPENDENTS_PATH, type DependentsAnswer, hasReason, inTurn } from '@weft/api'
import type { TraceRef } from '@weft/composition'
import { refOf } from './follow.ts'
import type { WorldReader } from './world-reader.ts'

const AT_ONCE = 4
const SILENT = ['NotFound', 'MethodNotAllowed', 'Forbidden'] as const

/** What the objects with these uids own, of kinds that were not read as a whole. */
export async function dependentsOf(reader: WorldReader, uids: ReadonlySet<string>): Promise<readonly TraceRef[]> {
  return (await told(reader, uids)) ?? lookedThrough(reader, uids)
}

/** By a server that knows; undefined where it does not, or does not tell. */
async function told(reader: WorldReader, uids: ReadonlySet<string>): Promise<readonly TraceRef[] | undefined> {
  try {
    return ((await reader.ask(DEPENDENTS_PATH, { uids: [...uids] })) as DependentsAnswer).items
  } catch (error) {
    if (SILENT.some((reason) => hasReason(error, reason))) return undefined
    throw error
  }
}

/** Other servers cannot be asked for that: all are looked at, of each its metadata alone. */
async function lookedThrough(reader: WorldReader, uids: ReadonlySet<string>): Promise<readonly TraceRef[]> {
  const kinds = reader.custom.filter((kind) => !reader.isWhole(kind))
  const found = await inTurn(kinds, AT_ONCE, async (kind) => {
    const refs: TraceRef[] = []
    for await (const page of reader.metadata(kind))
      for (const object of page) if (object.metadata.ownerReferences?.some(({ uid }) => uids.has(uid)) === true) refs.push(refOf(object))
    return refs
  })
  return found.flat()
}
