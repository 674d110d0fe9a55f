import { isJsonObject, type KubeObject } from '@weft/api'
import { withoutSchemas } from '../../kinds/without-schemas.ts'

const OMIT = 'omit'
const SCHEMAS = 'schemas'

/** Takes `omit=schemas`, which is the console's own, off the path of a watch. */
export function takeOmission(path: string): { readonly path: string; readonly omitsSchemas: boolean } {
  const [base = '', query = ''] = path.split('?', 2)
  const parameters = new URLSearchParams(query)
  if (parameters.get(OMIT) !== SCHEMAS) return { path, omitsSchemas: false }
  parameters.delete(OMIT)
  return { path: `${base}?${parameters.toString()}`, omitsSchemas: true }
}

/** A line of a watch of definitions, without their schemas. */
export function lineWithoutSchemas(line: string): string {
  const event: unknown = JSON.parse(line)
  if (!isJsonObject(event) || !isJsonObject(event['object']) || !isJsonObject(event['object']['metadata'])) return line
  return JSON.stringify({ ...event, object: withoutSchemas(event['object'] as unknown as KubeObject) })
}
