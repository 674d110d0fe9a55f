import { badRequest, isJsonObject } from '@weft/api'
import { goTypeOf } from './body.ts'
import { type Parsed, SyntaxFault, unknownField } from './parsed.ts'
import { parsePayload, type Payload } from './payload.ts'
import { inTextOrder } from './strict-problems.ts'

export const JSON_PATCH = 'application/json-patch+json'
export const MERGE_PATCH = 'application/merge-patch+json'
export const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json'
export const APPLY_PATCH = 'application/apply-patch+yaml'

const SHAPES: Readonly<Record<string, { readonly goType: string; readonly fits: (value: unknown) => boolean }>> = {
  [JSON_PATCH]: { goType: '[]handlers.jsonPatchOp', fits: Array.isArray },
  [MERGE_PATCH]: { goType: 'map[string]interface {}', fits: isJsonObject },
  [STRATEGIC_MERGE_PATCH]: { goType: 'map[string]interface {}', fits: isJsonObject },
}

/** A patch as a JSON value of the shape that its kind of patch has. */
export function parsePatch(mediaType: string, payload: Payload): Parsed {
  const shape = SHAPES[mediaType]
  try {
    const parsed = parsePayload(payload)
    const { value } = parsed
    if (value === null && mediaType === MERGE_PATCH) throw badRequest('Invalid JSON Patch')
    if (value !== null && shape !== undefined && !shape.fits(value))
      throw new SyntaxFault(
        `json: cannot unmarshal ${isJsonObject(value) ? 'object' : goTypeOf(value)} into Go value of type ${shape.goType}`,
      )
    return {
      value: value ?? (mediaType === JSON_PATCH ? [] : {}),
      problems: mediaType === JSON_PATCH ? jsonPatchProblems(parsed).map((problem) => `json patch ${problem}`) : parsed.problems,
    }
  } catch (error) {
    if (error instanceof SyntaxFault)
      throw badRequest(mediaType === STRATEGIC_MERGE_PATCH ? error.message : `error decoding patch: ${error.message}`)
    throw error
  }
}

const OPERATION_FIELDS: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value'])
const MAX_PROBLEMS = 100

/** Operations have four fields; of any other, and of one that stands twice, the author is told. */
function jsonPatchProblems({ value, text }: Parsed): readonly string[] {
  if (!Array.isArray(value)) return []
  const unknown: string[] = []
  for (const [i, operation] of value.entries())
    for (const key of isJsonObject(operation) ? Object.keys(operation) : [])
      if (!OPERATION_FIELDS.has(key) && unknown.length < MAX_PROBLEMS) unknown.push(`[${i}].${key}`)
  return text === undefined ? unknown.map(unknownField) : inTextOrder(text, new Set(unknown))
}
