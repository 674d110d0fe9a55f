import { useQuery } from '@tanstack/react-query'
import type { KindInfo } from '../../kinds/kind-info.ts'
import { useConsole } from './console.tsx'

export interface Wish {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  readonly subresource?: string | undefined
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
  const { askAccess } = useConsole()
  const { data } = useQuery({
    queryKey: ['access', wish],
    enabled: wish !== undefined,
    staleTime: 60_000,
    queryFn: () => askAccess(wish ?? {}),
  })
  return data
}
