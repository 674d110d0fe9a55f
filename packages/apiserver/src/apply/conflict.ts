import { compareText, failure, goQuote, type StatusError } from '@weft/api'
import { formatPath, type PathElement } from './fields/element.ts'
import { pathsOf } from './fields/field-set.ts'
import type { ManagedSet } from './managed-fields.ts'

export interface Conflict {
  readonly with: ManagedSet
  readonly path: readonly PathElement[]
}

/** Applying would change fields that others own. */
export class Conflicts extends Error {
  override readonly name = 'Conflicts'
  readonly conflicts: readonly Conflict[]

  constructor(conflicts: readonly Conflict[]) {
    super(`${conflicts.length} apply conflicts`)
    this.conflicts = conflicts
  }
}

/** One conflict per contended path; each manager's set holds what is contended with it. */
export function conflictsWith(managers: readonly ManagedSet[]): Conflicts {
  const sorted = [...managers].sort((a, b) => compareText(a.id, b.id))
  return new Conflicts(sorted.flatMap((managed) => Array.from(pathsOf(managed.set), (path) => ({ with: managed, path }))))
}

export function conflictStatus({ conflicts }: Conflicts): StatusError {
  const causes = conflicts.map((conflict) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${formatManager(conflict.with)}`,
    field: formatPath(conflict.path),
  }))
  return failure({ code: 409, reason: 'Conflict', message: conflictMessage(conflicts), details: { causes } })
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [only] = conflicts
  if (conflicts.length === 1 && only !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${formatManager(only.with)}: ${formatPath(only.path)}`
  }
  const lines: string[] = []
  let last: string | undefined
  for (const conflict of conflicts) {
    if (conflict.with.id !== last) lines.push(`conflicts with ${formatManager(conflict.with)}:`)
    last = conflict.with.id
    lines.push(`- ${formatPath(conflict.path)}`)
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`
}

/** `"name"`, with the subresource it wrote through and, for an updater, the version it used. */
function formatManager({ manager, operation, apiVersion, subresource }: ManagedSet): string {
  const through = subresource === '' ? '' : ` with subresource ${goQuote(subresource)}`
  return `${goQuote(manager)}${through}${operation === 'Update' ? ` using ${apiVersion}` : ''}`
}
