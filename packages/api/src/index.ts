/**
 * The object model: metadata, kinds, selectors, conditions, errors in Kubernetes' words, Weft's own kinds and their schemas. No I/O, no clock, nothing of
 * ours below it; everybody may import it.
 */
export * from './annotations.ts'
export * from './conditions.ts'
export * from './field-error.ts'
export * from './fields.ts'
export * from './go/quote.ts'
export * from './go/value.ts'
export * from './gvk.ts'
export * from './json.ts'
export * from './kinds/index.ts'
export * from './labels.ts'
export * from './message-of.ts'
export * from './meta.ts'
export * from './names.ts'
export * from './quantity.ts'
export * from './schema.ts'
export * from './spelling.ts'
export * from './status.ts'
export * from './time.ts'
export * from './json-syntax.ts'
export * from './json-size.ts'
