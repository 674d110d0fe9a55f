import type { Api } from '../api/api.ts'
import { type DiscoveryList, type KindInfo, kindsOf } from '../../kinds/kind-info.ts'

const ACCEPT = ['v2', 'v2beta1'].map((v) => `application/json;g=apidiscovery.k8s.io;v=${v};as=APIGroupDiscoveryList`).join(',')

/** Every kind that the server serves. Any signed-in user may ask. */
export async function discover(api: Api, signal?: AbortSignal): Promise<readonly KindInfo[]> {
  const [core, groups] = await Promise.all(
    ['/k8s/api', '/k8s/apis'].map((path) => api.get<DiscoveryList>(path, { accept: ACCEPT, signal })),
  )
  return [...kindsOf(core ?? {}), ...kindsOf(groups ?? {})]
}
