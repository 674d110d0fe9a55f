/** The lines of a stream of text as they come, without their ends; the rest of an unfinished line is dropped. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const parts = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = parts.pop() ?? ''
      for (const line of parts) if (line.trim() !== '') yield line
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
