import { parseGroupVersion } from '@weft/api'
import { type Client, NoMatchError } from '@weft/client'
import type { DefinedKind } from './definition.ts'

/** The kind that somebody names, as it is served; undefined: nobody serves it. */
export async function servedKind(
  client: Client,
  { apiVersion = '', kind = '' }: { readonly apiVersion?: string; readonly kind?: string },
): Promise<DefinedKind | undefined> {
  if (apiVersion === '' || kind === '') return undefined
  try {
    return await client.mapping({ ...parseGroupVersion(apiVersion), kind })
  } catch (error) {
    if (error instanceof NoMatchError) return undefined
    throw error
  }
}
