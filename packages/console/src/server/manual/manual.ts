import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Refusal } from '../answer.ts'
import { isCompressible, typeOf } from '../app-files/file-types.ts'
import { DATA_POLICY, MANUAL_POLICY } from '../guard/headers.ts'

/** The built manual, under `/docs/`. Files are read when they are asked for: few are, and none stays in memory. */
export interface Manual {
  serve(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>
}

const ROOT = '/docs/'
const NOT_FOUND = '404.html'
const zip = promisify(gzip)

export const isOfManual = (path: string): boolean => path === '/docs' || path.startsWith(ROOT)

export function createManual(directory: string | undefined): Manual {
  let listed: Promise<ReadonlySet<string>> | undefined
  return {
    async serve(request, response, path) {
      if (request.method !== 'GET' && request.method !== 'HEAD') throw new Refusal(405, 'MethodNotAllowed', 'pages can only be read')
      if (path === '/docs') return void response.writeHead(308, { location: ROOT }).end()
      // Only names that the folder has are opened: whatever a path says, it leads nowhere else.
      const files = directory === undefined ? new Set<string>() : await (listed ??= listFiles(directory))
      const wanted = path.slice(ROOT.length)
      const name = [wanted === '' ? 'index.html' : wanted, `${wanted}.html`].find((each) => files.has(each))
      if (directory === undefined || !files.has(NOT_FOUND))
        throw new Refusal(404, 'NotFound', 'this Weft was built without its manual: npm run build makes it')
      await send(request, response, {
        status: name === undefined || name === NOT_FOUND ? 404 : 200,
        file: join(directory, name ?? NOT_FOUND),
      })
    },
  }
}

async function listFiles(directory: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Set(files.map((file) => file.slice(directory.length + 1).replaceAll('\\', '/')))
}

async function send(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  { status, file }: { readonly status: number; readonly file: string },
): Promise<void> {
  const bytes = await readFile(file)
  const zipped = isCompressible(file) && /\bgzip\b/.test(String(headers['accept-encoding'] ?? '')) ? await zip(bytes) : undefined
  const body = zipped ?? bytes
  response.writeHead(status, {
    'content-type': typeOf(file),
    'content-length': body.length,
    'content-security-policy': file.endsWith('.html') ? MANUAL_POLICY : DATA_POLICY,
    vary: 'accept-encoding',
    // Its addresses stay the same from one version to the next.
    'cache-control': 'no-cache',
    ...(zipped !== undefined && { 'content-encoding': 'gzip' }),
  })
  response.end(method === 'HEAD' ? undefined : body)
}
