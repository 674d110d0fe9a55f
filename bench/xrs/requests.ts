import type { Client } from '@weft/client'

/** Requests that a server has answered, by what they were: `PATCH nopresources`, `PUT benchxrs/status`. Watches and lists of informers are no part of it. */
export async function requestsOf(client: Client): Promise<ReadonlyMap<string, number>> {
  const { body } = await client.transport.request({ verb: 'read', path: '/metrics', accept: 'text/plain' })
  const counts = new Map<string, number>()
  for (const [, labels = '', value] of String(body).matchAll(/^apiserver_request_total\{(.*)\} (\S+)$/gm)) {
    const label = (name: string): string => new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1] ?? ''
    const [verb, resource, subresource] = [label('verb'), label('resource'), label('subresource')]
    if (resource === '' || verb === 'WATCH' || verb === 'LIST' || resource === 'leases') continue
    const key = `${verb} ${resource}${subresource === '' ? '' : `/${subresource}`}`
    counts.set(key, (counts.get(key) ?? 0) + Number(value))
  }
  return counts
}

/** What one of `count` objects took, the most frequent first; what is rarer than one in twenty is noise. */
export function requestsEach(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  count: number,
): Record<string, number> {
  const each = [...after].map(([key, value]): [string, number] => [key, (value - (before.get(key) ?? 0)) / count])
  return Object.fromEntries(each.filter(([, value]) => value >= 0.05).toSorted(([, a], [, b]) => b - a))
}
