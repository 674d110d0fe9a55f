import type { JsonObject } from '@weft/api'
import type { Errors } from '../document.ts'
import type { Result } from '../result.ts'

/** One step between a value that is read and the value that is written. Compiled once, pure and total. */
export interface Transform {
  readonly type: TransformType
  apply(input: unknown): Result<unknown>
}

export const TRANSFORM_TYPES = ['map', 'math', 'string', 'convert', 'match'] as const
export type TransformType = (typeof TRANSFORM_TYPES)[number]

/** Reads the configuration under `{type}` of a transform; what it answers is the transform's work. */
export type TransformReader = (config: JsonObject, path: string, errors: Errors) => Transform['apply'] | undefined
