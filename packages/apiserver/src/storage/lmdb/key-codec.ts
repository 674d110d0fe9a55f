/** Keys as raw UTF-8, so that LMDB's bytewise order is ours. The empty string is only ever a bound: below every key. */
export const textKeys = {
  writeKey(key: string, target: Buffer, start: number): number {
    if (key.length > 0) return start + target.write(key, start, 'utf8')
    target[start] = 0
    return start + 1
  },
  readKey(source: Buffer, start: number, end: number): string {
    return source.toString('utf8', start, end)
  },
}

/** Revisions as 8 bytes, big endian, so that bytewise order is that of numbers. */
export const revisionKeys = {
  writeKey(revision: number, target: Buffer, start: number): number {
    target.writeUInt32BE(Math.floor(revision / 0x1_0000_0000), start)
    return target.writeUInt32BE(revision >>> 0, start + 4)
  },
  readKey(source: Buffer, start: number): number {
    return source.readUInt32BE(start) * 0x1_0000_0000 + source.readUInt32BE(start + 4)
  },
}
