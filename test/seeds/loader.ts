import { readFileSync } from 'node:fs'
import type { KubeObject } from '@weft/api'
import { parseAllDocuments } from 'yaml'

/**
 * The YAML examples of the design documents, one file each, named by document and lines: `loadSeed('002/351-449')`. They are data as it stands there; only
 * what no YAML parser takes is put right here: a line of exactly `--` (B20), and a list item that begins with `*` (B21).
 */
export function loadSeed(example: string): readonly KubeObject[] {
  const text = readFileSync(new URL(`${example}.yaml`, import.meta.url), 'utf8')
  return readDocuments(text, example)
}

/** The only object of an example. */
export function loadObject(example: string): KubeObject {
  const objects = loadSeed(example)
  const [object] = objects
  if (object === undefined || objects.length > 1) throw new Error(`${example} has ${objects.length} objects, not one`)
  return object
}

function readDocuments(text: string, example: string): readonly KubeObject[] {
  const readable = text.replace(/^--$/gm, '---').replace(/^(\s*- )(\*\S*)$/gm, '$1"$2"')
  return parseAllDocuments(readable).flatMap((document) => {
    if (document.errors[0] !== undefined) throw new Error(`${example}: ${document.errors[0].message}`)
    const value: unknown = document.toJS()
    return value === null ? [] : [value as KubeObject]
  })
}
