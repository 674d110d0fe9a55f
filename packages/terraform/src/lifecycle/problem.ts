import type { AttributePath } from '../protocol/diagnostic.ts'

/** A fault of the provider in one place of a value. Values are not quoted. */
export interface Problem {
  readonly path: AttributePath
  readonly message: string
}

export const problem = (path: AttributePath, message: string): Problem => ({ path, message })
export const below = (path: AttributePath, name: string): AttributePath => [...path, { type: 'attribute', name }]
export const at = (path: AttributePath, index: number): AttributePath => [...path, { type: 'index', index }]
export const under = (path: AttributePath, key: string): AttributePath => [...path, { type: 'key', key }]
