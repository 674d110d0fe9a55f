import { externalName } from '@weft/composition'
import type { Found, FoundHit } from '../../contract.ts'
import { roleOf } from '../../kinds/kind-info.ts'
import { findObjects, type Hit } from '../../world/find-objects.ts'
import { stateOf } from '../../world/state.ts'
import { Refusal } from '../answer.ts'
import type { Inventories } from '../inventory/inventories.ts'
import type { ConsoleSession } from '../session/sessions.ts'

const MOST = 20
const LONGEST = 200

/** Finds kinds and objects among what the user may list. */
export async function search(session: ConsoleSession, inventories: Inventories, query: URLSearchParams): Promise<Found> {
  const text = query.get('text') ?? ''
  if (text.length > LONGEST) throw new Refusal(400, 'BadRequest', `search for at most ${LONGEST} characters`)
  const view = inventories.view(session, query.get('namespace') ?? '')
  try {
    const { world, areKindsKnown } = await view.read()
    const isPartial = !areKindsKnown || [...world.collections.values()].some(({ loaded, state }) => !loaded && state.phase === 'listing')
    return { hits: findObjects(world, text, MOST).map(hitOf), isPartial }
  } finally {
    view.release()
  }
}

function hitOf({ kind, object }: Hit): FoundHit {
  const { group, plural } = kind
  const found = { group, kind: kind.kind, plural }
  if (object === undefined) return found
  const { name = '', namespace } = object.metadata
  const role = roleOf(kind)
  const state = stateOf(object, role)
  return {
    ...found,
    name,
    ...(namespace !== undefined && { namespace }),
    ...(state !== undefined && { state }),
    ...(role === 'managed' && externalName(object) !== name && { externalName: externalName(object) }),
  }
}
