import { parseFieldPath } from '@weft/composition'
import type { RenderedObject } from '@weft/plan'
import { Document, isCollection, isNode } from 'yaml'
import { sortKeys } from '../../jsonpath/index.ts'

/** An object as YAML, each field with a comment that says what set it. */
export function formatExplained({ object, origins }: RenderedObject): string {
  const document = new Document(sortKeys(object), { version: '1.1', aliasDuplicateObjects: false })
  for (const { path, from } of origins) {
    const parsed = parseFieldPath(path)
    const node: unknown = parsed.ok ? document.getIn(parsed.value.segments, true) : undefined
    // A comment belongs to a value, not to a mapping that goes on for lines.
    if (isNode(node) && (!isCollection(node) || node.items.length === 0)) node.comment = ` ${from}`
  }
  return document.toString({ indentSeq: false, lineWidth: 0, directives: false, blockQuote: 'literal' })
}
