import type { Collection } from '../../world/world.ts'

/**
 * What may be said about a part of the world. `loading`: nothing yet. `refused`: the user may not see any of it. `failed`: it could not be read. `known`: what is
 * there is all that the user can see, and if nothing is there, there is nothing. Pages say "none" only then.
 */
export type Knowledge =
  | { readonly phase: 'loading' }
  | { readonly phase: 'refused' }
  | { readonly phase: 'failed'; readonly why: string }
  | { readonly phase: 'known' }

/** Nothing is known of it, and it is being read. */
export const isLoading = ({ loaded, state }: Collection): boolean => !loaded && state.phase === 'listing'

/** It is known what there is of the kind, or that the user may not know; rather than of some objects of it only. */
export const isToldOf = ({ partial, state }: Collection): boolean => partial === undefined || state.phase === 'refused'

/** Of several kinds together. `areKindsKnown`: is it known which kinds there are? Until then none of them is known. */
export function knowledgeOf(collections: readonly Collection[], areKindsKnown: boolean): Knowledge {
  if (!areKindsKnown || collections.some(isLoading)) return { phase: 'loading' }
  for (const { state, loaded } of collections) if (state.phase === 'waiting' && !loaded) return { phase: 'failed', why: state.why }
  const isRefused = collections.length > 0 && collections.every(({ state }) => state.phase === 'refused')
  return { phase: isRefused ? 'refused' : 'known' }
}
