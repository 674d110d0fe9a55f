import { parseExactJson } from '../value/exact-json.ts'
import type { StateResource } from './state-file.ts'

/**
 * Addresses of resources that have the same type, provider and id as another of the state. Such an id identifies nothing: some providers give one to
 * all (every `random_password` is `none`), or make it of contents that may be alike.
 */
export function sharedIds(resources: readonly StateResource[]): ReadonlySet<string> {
  const byId = new Map<string, string[]>()
  for (const { address, provider, alias = '', type, json } of resources) {
    const attributes = parseExactJson(json)
    const id = attributes instanceof Map ? attributes.get('id') : undefined
    if (id === undefined || id === null) continue
    const key = JSON.stringify([provider, alias, type, String(id)])
    const same = byId.get(key)
    if (same === undefined) byId.set(key, [address])
    else same.push(address)
  }
  return new Set([...byId.values()].flatMap((addresses) => (addresses.length > 1 ? addresses : [])))
}
