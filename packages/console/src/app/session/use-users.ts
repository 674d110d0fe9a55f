import type { KubeObject } from '@weft/api'
import type { Users } from '../../contract.ts'
import type { Knowledge } from '../live/knowledge.ts'
import { useConsole } from './console.tsx'
import { useFeed } from './use-feed.ts'

/** What depends on an object that others are made from or with, as far as the user may see. */
export function useUsers({ apiVersion, kind, metadata }: KubeObject): { readonly users: Users | undefined; readonly knowledge: Knowledge } {
  const { namespace } = useConsole()
  const { name = '', namespace: where = '' } = metadata
  const query = new URLSearchParams({ apiVersion, kind, name, in: where, namespace })
  const { value, problem } = useFeed<Users>(`/console/users?${query.toString()}`)
  const isLoading = value === undefined || !value.isComplete
  const phase = isLoading ? (problem === undefined ? 'loading' : 'failed') : 'known'
  return { users: value, knowledge: phase === 'failed' ? { phase, why: problem ?? '' } : { phase } }
}
