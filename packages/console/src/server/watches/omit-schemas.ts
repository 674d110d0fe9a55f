import { isJsonObject, type JsonObject, type JsonValue } from '@weft/api'

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

/** A line of a watch of definitions without the schemas of their versions, and without who wrote which field: a hundredth of it. */
export function withoutSchemas(line: string): string {
  const event: unknown = JSON.parse(line)
  if (!isJsonObject(event) || !isJsonObject(event['object'])) return line
  const { metadata, spec, ...rest } = event['object']
  return JSON.stringify({
    ...event,
    object: { ...rest, ...(isJsonObject(metadata) && { metadata: unmanaged(metadata) }), ...(isJsonObject(spec) && { spec: slim(spec) }) },
  })
}

const unmanaged = ({ managedFields: _, ...metadata }: JsonObject): JsonObject => metadata

const slim = (spec: JsonObject): JsonObject => ({
  ...spec,
  ...(Array.isArray(spec['versions']) && {
    versions: spec['versions'].map((version: JsonValue) => {
      if (!isJsonObject(version)) return version
      const { schema: _, ...others } = version
      return others
    }),
  }),
})
