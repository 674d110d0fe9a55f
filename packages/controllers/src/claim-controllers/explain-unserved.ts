import { formatGroupKind, type GroupKind } from '@weft/api'
import { NoMatchError } from '@weft/client'
import { BindingError } from '../binding/binding-error.ts'
import { MANAGED_DEFINITION } from '../bindings-table/well-known.ts'
import { definesKind, inactiveKind } from '../definition/inactive-kind.ts'
import type { ClaimTask } from '../claim/services.ts'

/**
 * The same error, in words that say what to do: a kind that the server does not serve is either one that a provider offers and nobody activated, or one that
 * nobody offers.
 */
export function explainUnserved({ watches, served }: Pick<ClaimTask, 'watches' | 'served'>, error: NoMatchError): BindingError {
  const kind: GroupKind = { group: error.group, kind: error.kind }
  const versions = served.definitionOf(kind)?.spec.versions.flatMap(({ name, served: isServed }) => (isServed ? [name] : [])) ?? []
  // It is there, and active: only the version is wrong.
  if (versions.length > 0)
    return new BindingError(
      'ClassUnusable',
      `${error.message}: ${formatGroupKind(kind)} is served as ${versions.join(', ')}; correct the apiVersion`,
      {
        cause: error,
      },
    )
  const definition = watches
    .reader(MANAGED_DEFINITION)
    ?.list()
    .find((each) => definesKind(each, kind))
  const message =
    definition === undefined ? `${error.message}: install a provider that offers it` : inactiveKind(kind, definition.metadata.name ?? '')
  return new BindingError('KindNotActive', message, { cause: error })
}
