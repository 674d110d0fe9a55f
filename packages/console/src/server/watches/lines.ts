const NEWLINE = 0x0a

/** Longer than any object that an API server keeps. */
const MAX_LINE_BYTES = 16 * 1024 * 1024

/** Whole lines from a stream of bytes, without looking into them. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      rest.push(Buffer.from(chunk.buffer, chunk.byteOffset + from, end - from))
      const line = rest.length === 1 ? (rest[0] as Buffer) : Buffer.concat(rest)
      rest = []
      length = 0
      from = end + 1
      if (line.length > 0) yield line
    }
    if (from === chunk.length) continue
    rest.push(Buffer.from(chunk.subarray(from)))
    length += chunk.length - from
    if (length > MAX_LINE_BYTES) throw new Error('a line of a watch is too long')
  }
  // What is left when the stream ends is half an event: whoever resumes gets it again.
}
