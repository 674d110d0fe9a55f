import { badRequest, isJsonObject } from '@weft/api'
import { goTypeOf } from './body.ts'
import { type Parsed, SyntaxFault } from './parsed.ts'
import { parsePayload, type Payload } from './payload.ts'

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
    const { value, problems } = parsePayload(payload)
    if (value === null && mediaType === MERGE_PATCH) throw badRequest('Invalid JSON Patch')
    if (value !== null && shape !== undefined && !shape.fits(value))
      throw new SyntaxFault(
        `json: cannot unmarshal ${isJsonObject(value) ? 'object' : goTypeOf(value)} into Go value of type ${shape.goType}`,
      )
    return {
      value: value ?? (mediaType === JSON_PATCH ? [] : {}),
      problems: mediaType === JSON_PATCH ? problems.map((problem) => `json patch ${problem}`) : problems,
    }
  } catch (error) {
    if (error instanceof SyntaxFault)
      throw badRequest(mediaType === STRATEGIC_MERGE_PATCH ? error.message : `error decoding patch: ${error.message}`)
    throw error
  }
}
