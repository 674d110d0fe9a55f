export { findValues, formatValue, renderTemplate, sortKeys } from './evaluate.ts'
export { JsonPathError, parseRelaxedPath, parseTemplate, type TemplateNode } from './parse.ts'
