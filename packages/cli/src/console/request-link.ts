import { request as requestPlain } from 'node:http'
import { request as requestSecurely } from 'node:https'
import type { RunningConsole } from './console-file.ts'

const PATIENCE_MS = 5000

/** A new link that signs in once. undefined: nothing answers there, or something else does. */
export async function requestLink({ address, key }: RunningConsole, ca: string | undefined): Promise<string | undefined> {
  const body = JSON.stringify({ key })
  const options = {
    method: 'POST',
    timeout: PATIENCE_MS,
    headers: { origin: address, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  }
  const url = new URL('/console/links', address)
  const text = await new Promise<string | undefined>((resolve) => {
    const asked = url.protocol === 'https:' ? requestSecurely(url, { ...options, ca }) : requestPlain(url, options)
    asked.on('error', () => resolve(undefined))
    asked.on('timeout', () => asked.destroy())
    asked.on('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', () => resolve(undefined))
      answer.on('end', () => resolve(answer.statusCode === 200 ? Buffer.concat(chunks).toString('utf8') : undefined))
    })
    asked.end(body)
  })
  return text === undefined ? undefined : linkIn(text, address)
}

/** Only what leads to this console is opened in anybody's browser. */
function linkIn(text: string, address: string): string | undefined {
  try {
    const { link } = JSON.parse(text) as { link?: unknown }
    return typeof link === 'string' && link.startsWith(`${address}/`) ? link : undefined
  } catch {
    return undefined
  }
}
