import { RecentValues } from '../recent-values.ts'
import type { SchemaNode } from '../node.ts'

/*
 * Parts of valid objects: a write that leaves a part as it was has the others checked, and not that one. A value that was found sound by a schema is so for
 * that very schema, whatever is around it.
 */

const sound = new RecentValues<SchemaNode>(65_536)

export const isSound = (node: SchemaNode, value: unknown): boolean => sound.of(value) === node

/** Nothing is wrong with `value`. */
export function noteSound(node: SchemaNode, value: unknown): void {
  noteMembers(node, value)
  const metadata = node.property('metadata')
  if (metadata !== undefined && isObject(value)) noteMembers(metadata, value['metadata'])
}

function noteMembers(node: SchemaNode, value: unknown): void {
  if (!isObject(value)) return
  for (const key in value) {
    const child = node.property(key) ?? node.additional
    if (child !== undefined) sound.note(value[key], child)
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
