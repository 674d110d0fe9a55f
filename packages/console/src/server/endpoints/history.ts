import type { History } from '../../contract.ts'
import type { History as KeptHistory } from '../history/history.ts'
import type { ConsoleSession } from '../session/sessions.ts'
import { reviewAll } from './access.ts'

/**
 * The past of what the user may list now, in the namespace or, where that is empty, in all. The counts were taken with the control plane's own rights: each
 * kind is asked for.
 */
export async function readHistory(session: ConsoleSession, kept: KeptHistory | undefined, namespace: string): Promise<History> {
  if (kept === undefined) return {}
  const wish = (group: string, resource: string, namespaced: boolean): Record<string, string> => ({
    verb: 'list',
    group,
    resource,
    ...(namespaced && namespace !== '' && { namespace }),
  })
  const [mayListAll] = await reviewAll(session, [wish('*', '*', false)])
  if (mayListAll === true) return { samples: kept.read(namespace, () => true) }
  const kinds = kept.kinds()
  const allowed = await reviewAll(
    session,
    kinds.map(({ group, plural, namespaced }) => wish(group, plural, namespaced)),
  )
  const visible = new Set(kinds.filter((_, i) => allowed[i] === true).map(keyOf))
  return { samples: kept.read(namespace, (kind) => visible.has(keyOf(kind))) }
}

const keyOf = ({ group, plural }: { readonly group: string; readonly plural: string }): string => `${plural}.${group}`
