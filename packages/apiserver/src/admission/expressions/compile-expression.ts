import { type FieldError, field } from '@weft/api'
import {
  BOOL,
  type CelType,
  type CompileResult,
  formatType,
  listType,
  NULL,
  PATCH_OBJECT,
  PATCH_OPERATION,
  type Program,
  STRING,
} from '@weft/cel'

/** An expression ready to run, or why it is not. */
export type Expression =
  | { readonly source: string; readonly program: Program; readonly error?: undefined }
  | { readonly source: string; readonly program?: undefined; readonly error: string }

export type ResultType = 'bool' | 'string' | 'string or null' | 'configuration' | 'operations' | 'any'

const ACCEPTED: Readonly<Record<Exclude<ResultType, 'any'>, readonly CelType[]>> = {
  bool: [BOOL],
  string: [STRING],
  'string or null': [STRING, NULL],
  configuration: [PATCH_OBJECT],
  operations: [listType(PATCH_OPERATION)],
}

/** What is wrong is said in Kubernetes' words: they go to the author of the policy as part of a 422. */
export function expressionOf(source: string, compiled: CompileResult, result: ResultType): Expression {
  if (compiled.program === undefined) return { source, error: `compilation failed: ${compiled.message}` }
  const { program } = compiled
  if (result === 'any') return { source, program }
  const names = ACCEPTED[result].map(typeText)
  const actual = typeText(program.outputType)
  if (names.includes(actual)) return { source, program }
  return {
    source,
    error:
      names.length === 1
        ? `must evaluate to ${names[0]} but got ${actual}`
        : `must evaluate to one of [${names.join(' ')}] but got ${actual}`,
  }
}

/** As cel-go prints a type by itself; in messages about operators it calls this one `null`. */
const typeText = (type: CelType): string => (type.kind === 'null' ? 'null_type' : formatType(type))

export const fieldErrors = ({ source, error }: Expression, path: string): FieldError[] =>
  error === undefined ? [] : [field.invalid(path, source, error)]
