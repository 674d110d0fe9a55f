import { useQuery } from '@tanstack/react-query'
import type { KindInfo } from '../kinds/kind-info.ts'
import { useConsole } from './console.tsx'

export interface Wish {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly namespace?: string | undefined
  readonly name?: string | undefined
}

interface Review {
  readonly status?: { readonly allowed?: boolean }
}

export const wishFor = (verb: string, kind: KindInfo, namespace?: string, name?: string): Wish => ({
  verb,
  group: kind.group,
  resource: kind.plural,
  namespace: kind.namespaced ? namespace : undefined,
  name,
})

/** May the user do this? Asks the server (SelfSubjectAccessReview); undefined until it has answered. */
export function useAccess(wish: Wish | undefined): boolean | undefined {
  const { api } = useConsole()
  const { data } = useQuery({
    queryKey: ['access', wish],
    enabled: wish !== undefined,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const review = await api.send<Review>(
        'POST',
        '/k8s/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes: wish } },
        { signal },
      )
      return review.status?.allowed === true
    },
  })
  return data
}
