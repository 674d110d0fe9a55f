import { isJsonObject } from '@weft/api'

/** Nested values as indented lines, keys as they are written in files. */
export function formatTree(value: unknown, indent: string): string {
  if (Array.isArray(value)) return value.map((item) => listItem(item, indent)).join('')
  if (!isJsonObject(value)) return `${indent}${scalar(value, indent)}\n`
  return Object.entries(value)
    .map(([key, member]) =>
      isBranch(member) ? `${indent}${key}:\n${formatTree(member, `${indent}  `)}` : `${indent}${key}: ${scalar(member, `${indent}  `)}\n`,
    )
    .join('')
}

function listItem(item: unknown, indent: string): string {
  if (!isBranch(item)) return `${indent}- ${scalar(item, `${indent}  `)}\n`
  const lines = formatTree(item, `${indent}  `)
  return `${indent}- ${lines.slice(indent.length + 2)}`
}

const isBranch = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : isJsonObject(value) && Object.keys(value).length > 0

function scalar(value: unknown, indent: string): string {
  if (Array.isArray(value)) return '[]'
  if (isJsonObject(value)) return '{}'
  if (value === null || value === undefined) return '<none>'
  const text = String(value as string | number | boolean | bigint)
  if (!text.includes('\n')) return text
  return `\n${text
    .trimEnd()
    .split('\n')
    .map((line) => indent + line)
    .join('\n')}`
}
