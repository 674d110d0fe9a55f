import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { CSP_NONCE_PLACEHOLDER } from '../../contract.ts'
import { Refusal } from '../answer.ts'
import { DATA_POLICY, pagePolicy } from '../guard/headers.ts'
import { isCompressible, typeOf } from './file-types.ts'

/** The built app. Files are read once; what is not among them is a deep link and answers the page. */
export interface AppFiles {
  serve(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>
}

/** Names below it change with the contents. */
const FOREVER = '/assets/'

interface File {
  readonly type: string
  readonly bytes: Buffer
  readonly zipped: () => Promise<Buffer> | undefined
}

const zip = promisify(gzip)

/** Rejects when there is no built app at `directory`. */
export async function loadAppFiles(directory: string): Promise<AppFiles> {
  const page = await readFile(join(directory, 'index.html'), 'utf8').catch((cause: unknown) => {
    throw new Error(`there is no built console in ${directory}: run npm run build`, { cause })
  })
  const files = await readAll(directory)
  return {
    async serve(request, response, path) {
      if (request.method !== 'GET' && request.method !== 'HEAD') throw new Refusal(405, 'MethodNotAllowed', 'pages can only be read')
      const file = path === '/index.html' ? undefined : files.get(path)
      if (file !== undefined) return sendFile(request, response, path, file)
      if (path.startsWith(FOREVER)) throw new Refusal(404, 'NotFound', 'there is no such file: reload the page')
      sendPage(request, response, page)
    },
  }
}

async function readAll(directory: string): Promise<ReadonlyMap<string, File>> {
  const files = new Map<string, File>()
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const full = join(entry.parentPath, entry.name)
    const bytes = await readFile(full)
    let zipped: Promise<Buffer> | undefined
    files.set(full.slice(directory.length).replaceAll('\\', '/'), {
      type: typeOf(entry.name),
      bytes,
      zipped: () => (isCompressible(entry.name) && bytes.length > 1024 ? (zipped ??= zip(bytes, { level: 9 })) : undefined),
    })
  }
  return files
}

async function sendFile(request: IncomingMessage, response: ServerResponse, path: string, file: File): Promise<void> {
  const zipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')) ? await file.zipped() : undefined
  const bytes = zipped ?? file.bytes
  response.writeHead(200, {
    'content-type': file.type,
    'content-length': bytes.length,
    'content-security-policy': DATA_POLICY,
    vary: 'accept-encoding',
    'cache-control': path.startsWith(FOREVER) ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(zipped !== undefined && { 'content-encoding': 'gzip' }),
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

/** A nonce of its own for every answer: who has seen one page knows nothing about the next. */
function sendPage(request: IncomingMessage, response: ServerResponse, page: string): void {
  const nonce = randomBytes(16).toString('base64')
  const text = page.replaceAll(CSP_NONCE_PLACEHOLDER, nonce)
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'content-security-policy': pagePolicy(nonce),
    'cache-control': 'no-store',
  })
  response.end(request.method === 'HEAD' ? undefined : text)
}
