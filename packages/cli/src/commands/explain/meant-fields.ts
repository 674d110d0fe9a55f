import { gvkOf, type KubeObject, meantInstead } from '@weft/api'
import type { Cluster } from '../../cluster/index.ts'
import { fieldsHolder, type Resolve, type Schema } from './schema.ts'
import { servedSchema } from './served-schema.ts'

/** As a server refuses it, in apply (`.spec.sise: …`) and in strict decoding (`unknown field "spec.sise"`). */
const UNKNOWN_FIELD = /(?<dotted>\.[^\s:,]+): field not declared in schema|unknown field "(?<quoted>[^"]+)"/g

/** The message of a refusal with what was probably meant by fields that the kind does not have, as far as its schema can be read. */
export async function withMeantFields(cluster: Cluster, object: KubeObject, message: string): Promise<string> {
  if (message.search(UNKNOWN_FIELD) < 0) return message
  const served = await servedSchema(cluster, gvkOf(object)).catch(() => undefined)
  if (served === undefined) return message
  return message.replace(UNKNOWN_FIELD, (found: string, dotted?: string, quoted?: string) => {
    const meant = meantField(served.root, dotted?.slice(1) ?? quoted ?? '', served.resolve)
    return meant === undefined ? found : `${found} (did you mean ${meant}?)`
  })
}

/** The field of the schema that is one slip away from the last of a path. */
export function meantField(root: Schema, path: string, resolve: Resolve): string | undefined {
  // Which element of a list it is says nothing of its fields.
  const names = path.replace(/\[[^\]]*\]/g, '').split('.')
  let schema: Schema | undefined = root
  for (const name of names.slice(0, -1)) schema = schema && fieldsHolder(schema, resolve).properties?.[name]
  const written = names.at(-1) ?? ''
  return schema && meantInstead(written, Object.keys(fieldsHolder(schema, resolve).properties ?? {}))
}
