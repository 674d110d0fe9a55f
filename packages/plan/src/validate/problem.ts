import type { FieldError } from '@weft/api'

/** Something that is wrong, or looks wrong, with one object. */
export interface ValidationProblem {
  /** An error would be refused, or can never work; a warning may be meant. */
  readonly severity: 'error' | 'warning'
  /** Position of the object in what was given. */
  readonly index: number
  /** `spec.to[1].patches[0].toFieldPath`; empty: the object as a whole. */
  readonly path: string
  readonly message: string
}

/** What a check finds, before it is known of which object. */
export type Finding = Omit<ValidationProblem, 'index'>

export const asErrors = (errors: readonly FieldError[]): readonly Finding[] =>
  errors.map(({ path, message }) => ({ severity: 'error', path, message }))

export const asError = (path: string, message: string): Finding => ({ severity: 'error', path, message })
export const asWarning = (path: string, message: string): Finding => ({ severity: 'warning', path, message })
