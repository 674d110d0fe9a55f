import { type FieldError, isDns1035Label } from '@weft/api'
import { invalid, required } from '../messages.ts'
import type { CrdNames } from './types.ts'

/** Names a definition must carry, after defaulting. */
export function missingNames(names: CrdNames, path: string): FieldError[] {
  return (['plural', 'singular', 'kind', 'listKind'] as const).filter((key) => !names[key]).map((key) => required(`${path}.${key}`))
}

/** Names that are there are DNS labels; kinds may mix case. Also used for `status.acceptedNames`. */
export function nameErrors(names: Partial<CrdNames>, path: string): FieldError[] {
  const errors: FieldError[] = []
  const label = (value: string | undefined, at: string): void => {
    const reasons = value ? isDns1035Label(value) : []
    if (reasons.length > 0) errors.push(invalid(at, value, reasons.join(',')))
  }
  const kind = (value: string | undefined, at: string): void => {
    const reasons = value ? isDns1035Label(value.toLowerCase()) : []
    if (reasons.length > 0) errors.push(invalid(at, value, `may have mixed case, but should otherwise match: ${reasons.join(',')}`))
  }
  const labels = (values: readonly string[] | undefined, at: string): void => {
    for (const [index, value] of (values ?? []).entries()) {
      const reasons = isDns1035Label(value)
      if (reasons.length > 0) errors.push(invalid(`${at}[${index}]`, value, reasons.join(',')))
    }
  }
  label(names.plural, `${path}.plural`)
  label(names.singular, `${path}.singular`)
  kind(names.kind, `${path}.kind`)
  kind(names.listKind, `${path}.listKind`)
  labels(names.shortNames, `${path}.shortNames`)
  if (names.kind && names.kind === names.listKind)
    errors.push(invalid(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same'))
  labels(names.categories, `${path}.categories`)
  return errors
}
