import { readFile } from 'node:fs/promises'

const PAGE = new URL('../../docs/install.md', import.meta.url)

/** What the page tells to type under a heading, line by line. Whoever installs follows these lines, and so do the tests of what is installed. */
export async function typedUnder(heading: string): Promise<readonly string[]> {
  const sections = (await readFile(PAGE, 'utf8')).split(/^## /m)
  const section = sections.find((text) => text.startsWith(`${heading}\n`))
  const lines = [...(section ?? '').matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'))
  if (lines.length === 0) throw new Error(`docs/install.md tells nothing to type under "${heading}"`)
  return lines
}
