import type { KubeObject } from '@weft/api'
import type { Cluster } from '../../cluster/index.ts'

/** A token for a service account, good for that long; shorter where the server grants less. */
export async function requestToken(
  cluster: Cluster,
  account: KubeObject,
  durationMs: number,
): Promise<{ readonly token: string; readonly expires: string }> {
  const { name, namespace } = account.metadata
  const { body } = await cluster.transport.request({
    verb: 'create',
    resource: { group: '', version: 'v1', plural: 'serviceaccounts', namespace, name, subresource: 'token' },
    object: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: Math.ceil(durationMs / 1000) } },
  })
  const { token, expirationTimestamp } = (body as unknown as { status: { token: string; expirationTimestamp: string } }).status
  return { token, expires: expirationTimestamp }
}
