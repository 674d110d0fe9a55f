import { inTurn } from '@weft/api'
import type { TraceRef } from '@weft/composition'
import { refOf } from './follow.ts'
import type { WorldReader } from './world-reader.ts'

const AT_ONCE = 4

/** What the objects with these uids own, of kinds that were not read as a whole. No server can be asked for that: all are looked at, of each its metadata alone. */
export async function dependentsOf(reader: WorldReader, uids: ReadonlySet<string>): Promise<readonly TraceRef[]> {
  const kinds = reader.custom.filter((kind) => !reader.isWhole(kind))
  const found = await inTurn(kinds, AT_ONCE, async (kind) => {
    const refs: TraceRef[] = []
    for await (const page of reader.metadata(kind))
      for (const object of page) if (object.metadata.ownerReferences?.some(({ uid }) => uids.has(uid)) === true) refs.push(refOf(object))
    return refs
  })
  return found.flat()
}
