import { createHash } from 'node:crypto'
import { formatTime, type KubeObject, type OwnerReference } from '@weft/api'

/** Says on a cluster-scoped object that it names an owner in a namespace. One for each owner, however often it is noticed. */
export function invalidOwnerEvent({ apiVersion, kind, metadata }: KubeObject, owner: OwnerReference, now: number): KubeObject {
  const { name = '', uid = '', resourceVersion } = metadata
  const time = formatTime(now)
  const which = createHash('sha256').update(`${uid}/${owner.uid}`).digest('hex').slice(0, 16)
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace: 'default', name: `${name.slice(0, 200)}.${which}` },
    involvedObject: { apiVersion, kind, name, uid, ...(resourceVersion !== undefined && { resourceVersion }) },
    type: 'Warning',
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef [${owner.apiVersion}/${owner.kind}, namespace: , name: ${owner.name}, uid: ${owner.uid}] does not exist in namespace ""`,
    source: { component: 'garbage-collector-controller' },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    reportingComponent: 'garbage-collector-controller',
    reportingInstance: '',
  }
}
