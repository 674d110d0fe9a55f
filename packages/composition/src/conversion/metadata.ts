import type { KubeObject, ObjectMeta } from '@weft/api'

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** What an author says of an object; what servers and controllers added belongs to the object that was, not to the one it becomes. */
export function authoredMetadata({ metadata: { name, namespace, labels, annotations } }: KubeObject): ObjectMeta {
  const kept = Object.entries(annotations ?? {}).filter(([key]) => key !== LAST_APPLIED)
  return {
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    ...(labels !== undefined && { labels }),
    ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }),
  }
}
