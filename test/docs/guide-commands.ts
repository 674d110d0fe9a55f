import { readFile } from 'node:fs/promises'

export interface Guide {
  /** The text of its YAML blocks. */
  readonly yaml: readonly string[]
  /** The lines that are typed, without comments. Lines that stand for others (`…`) are left out. */
  readonly commands: readonly string[]
}

export async function readGuide(name: string): Promise<Guide> {
  const text = await readFile(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/```(sh|yaml)\n([\s\S]*?)```/g)].map(([, language, block = '']) => ({ language, block }))
  return {
    yaml: blocks.flatMap(({ language, block }) => (language === 'yaml' ? [block] : [])),
    commands: blocks
      .flatMap(({ language, block }) => (language === 'sh' ? block.split('\n') : []))
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== '' && !line.includes('…')),
  }
}

/** The words of a command line after the program, without quotes. */
export const wordsOf = (line: string): readonly string[] =>
  (line.match(/'[^']*'|\S+/g) ?? []).slice(1).map((word) => word.replaceAll("'", ''))
