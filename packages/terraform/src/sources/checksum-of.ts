import { PackageError } from '@weft/xpkg'

/** The SHA-256 (hex) that a SHA256SUMS file states for a file. */
export function checksumOf(shasums: Uint8Array, filename: string, what: string): string {
  for (const line of Buffer.from(shasums).toString('utf8').split('\n')) {
    const match = /^([0-9a-f]{64})[ \t]+\*?(\S+)\s*$/i.exec(line)
    if (match?.[2] === filename) return (match[1] ?? '').toLowerCase()
  }
  throw new PackageError('DigestMismatch', `${what}: the list of checksums does not mention ${filename}; it is not used`)
}
