import { stringify } from 'yaml'
import { APPLY } from '../scenarios/parts.ts'
import type { Random } from './random.ts'

type Json = any

const YAML = 'application/yaml'

/** A body as it is, or now and then as text that has a member twice, or as YAML. */
export function repeated(random: Random, body: Json, contentType?: string): { body: Json; contentType?: string } {
  const isYaml = contentType === APPLY || (contentType === undefined && random.chance(0.06))
  const twice = random.chance(0.06)
  if (!isYaml && !twice) return { body, ...(contentType && { contentType }) }
  if (!isYaml) return { body: jsonText(random, body, twice), ...(contentType && { contentType }) }
  return { body: random.chance(0.5) ? yamlText(random, body, twice) : jsonText(random, body, twice), contentType: contentType ?? YAML }
}

function jsonText(random: Random, value: Json, twice: boolean): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => jsonText(random, item, twice)).join(',')}]`
  const members = Object.entries(value).flatMap(([key, inner]) => {
    const member = `${JSON.stringify(key)}:${jsonText(random, inner, twice)}`
    return twice && random.chance(0.15) ? [member, member] : [member]
  })
  return `{${members.join(',')}}`
}

/** Block style; a line that holds a whole member may stand twice. */
function yamlText(random: Random, body: Json, twice: boolean): string {
  const lines = stringify(body).split('\n')
  return lines.flatMap((line) => (twice && /^ *[\w.]+: [^\s|>]/.test(line) && random.chance(0.15) ? [line, line] : [line])).join('\n')
}

/** What a schema may say of the metadata of its objects: little, and both servers say what is too much. */
export function rootMetadata(random: Random): Json {
  if (random.chance(0.8)) return {}
  const name = random.pick<Json>([
    { type: 'string', maxLength: 3 },
    { type: 'string', pattern: '^[ab]$' },
    { type: 'string', enum: ['a', 'c'] },
  ])
  return {
    ...(random.chance(0.3) && { apiVersion: { type: 'string', pattern: random.pick(['.*/v1$', '^nope$']) } }),
    ...(random.chance(0.3) && { kind: { type: 'string', enum: [random.pick(['Widget', 'Gadget'])] } }),
    metadata: {
      type: 'object',
      properties: { name, ...(random.chance(0.1) && { labels: { type: 'object' } }) },
      ...(random.chance(0.1) && { maxProperties: 3 }),
    },
  }
}
