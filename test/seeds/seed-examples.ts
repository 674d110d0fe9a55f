import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { KubeObject } from '@weft/api'
import { parseAllDocuments } from 'yaml'

/** The YAML examples of the design documents: one file each, named by document and lines, with their comments taken out. */
export const EXAMPLES: string = fileURLToPath(new URL('.', import.meta.url))

/** Where the documents themselves are, on a machine that has them. */
export const DOCUMENTS: string = fileURLToPath(new URL('../../../shared/seeds/', import.meta.url))

export const hasDocuments = (): boolean => existsSync(DOCUMENTS)

/** `000/098-107.yaml` and so on, of all documents or of one. */
export function exampleNames(document?: string): readonly string[] {
  const folders = readdirSync(EXAMPLES, { withFileTypes: true }).filter((entry) => entry.isDirectory() && /^\d{3}$/.test(entry.name))
  return folders
    .filter(({ name }) => document === undefined || name === document)
    .flatMap(({ name }) => readdirSync(`${EXAMPLES}${name}`).map((file) => `${name}/${file}`))
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
}

/** The text of each example of a document, by name, as the document has it. */
export function examplesOf(document: string): ReadonlyMap<string, string> {
  const file = readdirSync(DOCUMENTS).find((name) => name.startsWith(`${document}_`))
  if (file === undefined) throw new Error(`there is no document ${document}`)
  const lines = readFileSync(`${DOCUMENTS}${file}`, 'utf8').split('\n')
  const examples = new Map<string, string>()
  let start: number | undefined
  for (const [i, line] of lines.entries()) {
    if (line.startsWith('```yaml')) start = i + 1
    else if (line.trim() === '```' && start !== undefined) {
      examples.set(`${document}/${padded(start + 1)}-${padded(i)}.yaml`, `${withoutComments(lines.slice(start, i)).join('\n')}\n`)
      start = undefined
    }
  }
  return examples
}

const padded = (line: number): string => String(line).padStart(3, '0')
const withoutComments = (lines: readonly string[]): readonly string[] => lines.filter((line) => !line.trimStart().startsWith('#'))

/** The objects of an example. The only repair: a line `--` is a document's end with a dash missing (B20). */
export function example(name: string): KubeObject[] {
  const text = readFileSync(`${EXAMPLES}${name}.yaml`, 'utf8').replace(/^--$/gm, '---')
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors
    if (error !== undefined) throw new Error(`${name}: ${error.message}`)
    const value = document.toJS() as KubeObject | null
    return value === null ? [] : [value]
  })
}
