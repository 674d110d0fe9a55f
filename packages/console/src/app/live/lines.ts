/**
 * The lines of a stream of text as they come, without their ends; empty ones and the rest of an unfinished line are dropped. `onChunk` is called
 * whenever anything comes at all.
 */
export async function* linesOf(stream: ReadableStream<Uint8Array>, onChunk?: () => void): AsyncGenerator<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onChunk?.()
      const parts = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = parts.pop() ?? ''
      for (const line of parts) if (line.trim() !== '') yield line
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
