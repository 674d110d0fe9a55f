import type { Schema } from '@weft/api'
import { compileRules } from '@weft/cel'
import { type CompiledSchema, compileSchema } from '@weft/schema'

/** A schema with its CEL rules, compiled once per schema object: this is where the two languages meet. */
export const compiledSchema = (schema: Schema): CompiledSchema => compileSchema(schema, { rules: compileRules })
