import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, messageOf } from '@weft/api'
import { LineCounter, parseAllDocuments } from 'yaml'
import { DataNode, DataFileError } from './data-node.ts'

/** Every document of every `.yaml` file directly in `directory` or deeper, in the order of their paths, so that a load is repeatable. */
export function readDataFiles(directory: string): DataNode[] {
  return yamlFiles(directory).flatMap((file) => readDocuments(file))
}

export function readDocuments(file: string): DataNode[] {
  return parseDocuments(readText(file), file)
}

/** Empty documents (a trailing `---`) are skipped; anything that is not an object is refused with its line. */
export function parseDocuments(text: string, file: string): DataNode[] {
  const lines = new LineCounter()
  const nodes: DataNode[] = []
  for (const document of parseAllDocuments(text, { lineCounter: lines, uniqueKeys: true })) {
    const [error] = document.errors
    if (error !== undefined)
      throw new DataFileError(file, `line ${lines.linePos(error.pos[0]).line}`, error.message.split('\n')[0] ?? 'bad YAML')
    const value: unknown = document.toJS({ maxAliasCount: 0 })
    if (value === null || value === undefined) continue
    if (!isJsonObject(value)) throw new DataFileError(file, `line ${lines.linePos(document.range[0]).line}`, 'must be an object')
    nodes.push(new DataNode(file, '', value))
  }
  return nodes
}

function yamlFiles(directory: string): string[] {
  let entries
  try {
    entries = readdirSync(directory, { withFileTypes: true })
  } catch (cause) {
    throw new DataFileError(directory, '', `cannot be read: ${messageOf(cause)}`, { cause })
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(directory, entry.name)
      if (entry.isDirectory()) return yamlFiles(path)
      return entry.name.endsWith('.yaml') ? [path] : []
    })
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new DataFileError(file, '', `cannot be read: ${messageOf(cause)}`, { cause })
  }
}
