const LONGEST = 64 * 1024

/** Cuts bytes into lines; a line that does not end is cut too, since somebody has to hold it meanwhile. */
export function lineSplitter(onLine: (line: string) => void): { write(bytes: Uint8Array): void; end(): void } {
  const decoder = new TextDecoder()
  let rest = ''
  return {
    write(bytes) {
      rest += decoder.decode(bytes, { stream: true })
      let from = 0
      for (let at = rest.indexOf('\n'); at >= 0; at = rest.indexOf('\n', from)) {
        onLine(rest.slice(from, at).replace(/\r$/, ''))
        from = at + 1
      }
      rest = rest.slice(from)
      if (rest.length > LONGEST) {
        onLine(rest)
        rest = ''
      }
    },
    end() {
      if (rest !== '') onLine(rest)
      rest = ''
    },
  }
}
