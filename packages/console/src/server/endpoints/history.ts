import type { History } from '../../contract.ts'
import { kindKey } from '../../kinds/kind-info.ts'
import type { History as KeptHistory } from '../history/history.ts'
import { listableKinds } from '../inventory/listable.ts'
import type { ConsoleSession } from '../session/sessions.ts'

/** The past of what the user may list now, in the namespace or, where that is empty, in all. The counts were taken with the control plane's own rights. */
export async function readHistory(session: ConsoleSession, kept: KeptHistory | undefined, namespace: string): Promise<History> {
  if (kept === undefined) return {}
  const listable = await listableKinds(session, namespace, kept.kinds())
  return { samples: kept.read(namespace, (kind) => listable.has(kindKey(kind))) }
}
