import type { KubeObject } from '@weft/api'
import { apiVersionOf, type KindInfo, kindKey, listPath } from '../kinds/kind-info.ts'
import { useConsole, useWorld } from '../session/console.tsx'
import { withQuery } from './reflector.ts'
import { useReflected } from './use-reflected.ts'
import { nameKey } from './world.ts'

/** loading, then found or gone; refused when the user may not see it. */
export type Looked =
  | { readonly phase: 'loading' }
  | { readonly phase: 'found'; readonly object: KubeObject }
  | { readonly phase: 'gone' }
  | { readonly phase: 'refused'; readonly why: string }

/** One object, live: from the watched kinds, or on a watch of its own where its kind is not watched or not where it lives. */
export function useObject(kind: KindInfo, namespace: string | undefined, name: string): Looked {
  const world = useWorld()
  const { kinds, namespace: scope } = useConsole()
  const collection = world.collections.get(kindKey(kind))
  const inScope = !kind.namespaced || scope === '' || scope === namespace
  const covered = collection !== undefined && inScope && collection.state.phase !== 'refused' && collection.state.phase !== 'absent'
  const alone = useReflected(
    covered || !kinds.loaded
      ? undefined
      : {
          path: withQuery(listPath(kind, namespace), { fieldSelector: `metadata.name=${name}` }),
          apiVersion: apiVersionOf(kind),
          kind: kind.kind,
        },
  )
  if (covered) {
    const object = collection.objects.get(nameKey(kind.namespaced ? namespace : undefined, name))
    return object !== undefined ? { phase: 'found', object } : { phase: collection.loaded ? 'gone' : 'loading' }
  }
  const [object] = alone.objects
  if (object !== undefined) return { phase: 'found', object }
  switch (alone.state.phase) {
    case 'refused':
      return { phase: 'refused', why: alone.state.why }
    case 'listing':
      return { phase: 'loading' }
    default:
      return { phase: 'gone' }
  }
}
