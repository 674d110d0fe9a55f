import type { KubeObject } from '@weft/api'
import { apiVersionOf, type KindInfo, kindKey, listPath, objectPath } from '../../kinds/kind-info.ts'
import { hasSchemas } from '../../kinds/without-schemas.ts'
import { useConsole, useWorld } from './console.tsx'
import { withQuery } from '../live/reflector.ts'
import { useReflected } from './use-reflected.ts'
import { nameKey } from '../../world/world.ts'

/** loading, then found or gone; refused when the user may not see it. */
export type Looked =
  | { readonly phase: 'loading' }
  | { readonly phase: 'found'; readonly object: KubeObject }
  | { readonly phase: 'gone' }
  | { readonly phase: 'refused'; readonly why: string }

/**
 * One object, live: from the watched kinds, or on a watch of its own where it is not among them: its kind is not watched, or not where it lives,
 * or not loaded yet, or the object was created a moment ago.
 */
export function useObject(kind: KindInfo, namespace: string | undefined, name: string): Looked {
  const world = useWorld()
  const { kinds } = useConsole()
  const collection = world.collections.get(kindKey(kind))
  const known = hasSchemas(kind) ? undefined : collection?.objects.get(nameKey(kind.namespaced ? namespace : undefined, name))
  const alone = useReflected(
    known !== undefined || !kinds.loaded
      ? undefined
      : {
          path: withQuery(listPath(kind, namespace), { fieldSelector: `metadata.name=${name}` }),
          object: objectPath(kind, namespace, name),
          apiVersion: apiVersionOf(kind),
          kind: kind.kind,
        },
  )
  if (known !== undefined) return { phase: 'found', object: known }
  const [object] = alone.objects
  if (object !== undefined) return { phase: 'found', object }
  switch (alone.state.phase) {
    case 'refused':
      return { phase: 'refused', why: alone.state.why }
    case 'listing':
    // The server failed, and is asked again: that says nothing of the object.
    case 'waiting':
      return { phase: 'loading' }
    default:
      return { phase: 'gone' }
  }
}
