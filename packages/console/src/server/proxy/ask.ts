import type { Forwarder } from '@weft/client'

export interface Answer {
  readonly status: number
  readonly text: string
}

/** A question of the console's own, answered whole. `body` is sent as JSON. */
export async function ask(forwarder: Forwarder, method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
  const answer = await forwarder.forward({
    method,
    path,
    headers: { accept: '*/*', ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
  })
  const chunks: Buffer[] = []
  for await (const chunk of answer.body as AsyncIterable<Buffer>) chunks.push(chunk)
  return { status: answer.status, text: Buffer.concat(chunks).toString('utf8') }
}

/** A member of a JSON answer; undefined when it is not JSON or has none. */
export function memberOf({ text }: Answer, ...path: readonly string[]): unknown {
  try {
    let value: unknown = JSON.parse(text)
    for (const name of path) value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
    return value
  } catch {
    return undefined
  }
}
