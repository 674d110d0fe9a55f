import { extname } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
const COMPRESSED = new Set(['.css', '.html', '.js', '.json', '.map', '.svg', '.txt'])

export const typeOf = (name: string): string => TYPES[extname(name)] ?? 'application/octet-stream'

/** Pictures and fonts are compressed already. */
export const isCompressible = (name: string): boolean => COMPRESSED.has(extname(name))
