import { getOwn, setOwn } from '@weft/api'
import { canonicalJson } from '../encoding/canonical-json.ts'
import { readField } from '../fieldpath/read.ts'
import { type DetailValue, type SecretData, textToBase64, toBase64 } from './data.ts'
import type { ConnectionDetail } from './detail.ts'

export interface SelectedDetails {
  readonly data: SecretData
  /** Details whose source does not exist yet. Not an error: a provider may publish the key, or fill the field, later. */
  readonly missing: readonly ConnectionDetail[]
}

/** What one member exposes: the details its template names, read from its connection secret and from the member itself. */
export function selectDetails(
  details: readonly ConnectionDetail[],
  { secret, object }: { readonly secret?: Readonly<Record<string, DetailValue>> | undefined; readonly object?: unknown },
): SelectedDetails {
  const data: Record<string, string> = {}
  const missing: ConnectionDetail[] = []
  for (const detail of details) {
    const value = valueOf(detail, secret ?? {}, object)
    if (value === undefined) missing.push(detail)
    else setOwn(data, detail.name, value)
  }
  return { data, missing }
}

function valueOf(detail: ConnectionDetail, secret: Readonly<Record<string, DetailValue>>, object: unknown): string | undefined {
  if (detail.type === 'FromValue') return textToBase64(detail.value)
  if (detail.type === 'FromConnectionSecretKey') {
    const value = getOwn(secret, detail.key)
    return value === undefined ? undefined : toBase64(value)
  }
  const found = readField(object, detail.path)
  if (!found.ok || found.value === null) return undefined
  return textToBase64(typeof found.value === 'string' ? found.value : canonicalJson(found.value))
}
