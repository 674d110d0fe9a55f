import { useQuery } from '@tanstack/react-query'
import type { Schema } from '@weft/api'
import type { KindInfo } from '../../kinds/kind-info.ts'
import { useConsole } from '../session/console.tsx'
import { type OpenApiDocument, schemaOf } from './open-api.ts'

/** The schema of a kind, from the server's OpenAPI: every signed-in user may read that, unlike CustomResourceDefinitions. */
export function useSchema(kind: KindInfo | undefined): {
  readonly schema: Schema | undefined
  readonly isPending: boolean
  readonly error: Error | null
} {
  const { api } = useConsole()
  const { data, isPending, error } = useQuery({
    queryKey: ['schema', kind?.group, kind?.version, kind?.kind],
    enabled: kind !== undefined,
    queryFn: async ({ signal }) => {
      const path = kind?.group === '' ? `api/${kind.version}` : `apis/${kind?.group ?? ''}/${kind?.version ?? ''}`
      const document = await api.get<OpenApiDocument>(`/k8s/openapi/v3/${path}`, { signal })
      return (kind && schemaOf(document, kind)) ?? null
    },
  })
  return { schema: data ?? undefined, isPending, error }
}
