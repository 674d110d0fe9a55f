import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Found, FoundHit } from '../../contract.ts'
import type { NodeState } from '../../world/state.ts'
import { navigate } from '../routing/navigation.tsx'
import { type Kinds, useConsole } from '../session/console.tsx'

/** A line of what was found. */
export interface Entry {
  readonly key: string
  /** What sort of thing it is. */
  readonly over: string
  readonly title: string
  readonly note?: string
  readonly state?: NodeState
  readonly go: () => void
}

const PARTIAL_MS = 1_000

/** The server looks through all objects, with every letter: it has them, and there may be ten thousand. What was found before stays until more is known. */
export function useFound(text: string): {
  readonly found: Found | undefined
  readonly isPending: boolean
  readonly problem: string | undefined
} {
  const { api, namespace } = useConsole()
  const wanted = text.trim()
  const query = new URLSearchParams({ text: wanted, namespace })
  const { data, error, isPlaceholderData, isFetching } = useQuery<Found>({
    queryKey: ['search', wanted, namespace],
    enabled: wanted !== '',
    staleTime: 1_000,
    gcTime: 10_000,
    retry: false,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.isPartial === true ? PARTIAL_MS : false),
    queryFn: ({ signal }) => api.get<Found>(`/console/search?${query.toString()}`, { signal }),
  })
  return {
    found: wanted === '' ? undefined : data,
    isPending: wanted !== '' && (isPlaceholderData || (data === undefined && isFetching)),
    problem: error === null ? undefined : error.message,
  }
}

export function entryOf({ group, kind, plural, name, namespace, state, externalName }: FoundHit, kinds: Kinds): Entry {
  if (name === undefined)
    return {
      key: `kind ${plural}.${group}`,
      over: kind,
      title: 'all of this kind',
      note: group,
      go: () => navigate({ page: 'kind', group, plural }),
    }
  const isNamespaced = kinds.byPlural(group, plural)?.namespaced ?? namespace !== undefined
  return {
    key: `${plural}.${group} ${namespace ?? ''}/${name}`,
    over: kind,
    title: namespace === undefined ? name : `${namespace}/${name}`,
    ...(externalName !== undefined && { note: externalName }),
    ...(state !== undefined && { state }),
    go: () => navigate({ page: 'object', group, plural, ...(isNamespaced && namespace !== undefined && { namespace }), name }),
  }
}
