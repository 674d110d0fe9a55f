import { randomUUID } from 'node:crypto'
import { isJsonObject } from '@weft/api'
import { stringify } from 'yaml'
import { sortKeys } from '../jsonpath/index.ts'
import { escaped } from './format-object.ts'

/** Sorted keys, and text quoted that Kubernetes' reader (YAML 1.1) would take for something else. */
export function formatYaml(value: unknown): string {
  const text = stringify(withMergeKeysMarked(sortKeys(value)), {
    version: '1.1',
    indentSeq: false,
    lineWidth: 0,
    aliasDuplicateObjects: false,
    directives: false,
    blockQuote: 'literal',
  })
  return escaped(text.replaceAll(MERGE_MARK, '"<<"'))
}

/** Stands for the key `<<`, which the writer leaves bare: it would be read as a merge, and the object come back as another. */
const MERGE_MARK = `merge-${randomUUID()}`

function withMergeKeysMarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMergeKeysMarked)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key === '<<' ? MERGE_MARK : key, withMergeKeysMarked(member)]))
}
