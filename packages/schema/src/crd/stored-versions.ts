import type { FieldError } from '@weft/api'
import { invalid } from '../messages.ts'
import type { CrdVersion } from './types.ts'

/** Objects may exist in every stored version, so each must stay defined; new objects go to the storage version. */
export function storedVersionErrors(
  stored: readonly string[] | undefined,
  versions: readonly CrdVersion[] | undefined,
  path: string,
): FieldError[] {
  if (stored === undefined || stored.length === 0) return [invalid(path, stored ?? null, 'must have at least one stored version')]
  const errors: FieldError[] = []
  const left = new Map(stored.map((name, index) => [name, index]))
  for (const { name, storage } of versions ?? []) {
    // A second version of the same name finds its entry taken, as in kube-apiserver.
    if (!left.delete(name) && storage) errors.push(invalid(path, stored, `must have the storage version ${name}`))
  }
  for (const [name, index] of left) {
    const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
    errors.push(invalid(`${path}[${index}]`, name, why))
  }
  return errors
}
