import { formatGroupKind, type GroupVersionKind } from '@weft/api'
import { NoMatchError } from '@weft/client'
import { BindingError } from '../binding/binding-error.ts'
import { isReservedGroup, natureOf } from '../definition/nature.ts'
import type { ClaimantField } from '../binding/claimant.ts'
import type { ClaimTask } from './services.ts'

/**
 * Claims are satisfied by managed resources, a claim of its own by a composite resource, and by nothing else: whoever may write classes must not come by roles, webhooks or packages that
 * way. Asked each time before something is made, whatever admission said: it may not have seen the class, and a kind may have become another.
 * `maker` is named in the message.
 */
export function mustBeManaged(
  { served }: Pick<ClaimTask, 'served'>,
  kind: GroupVersionKind,
  { maker, claimant }: { readonly maker: string; readonly claimant: ClaimantField },
): void {
  const definition = served.definitionOf(kind)
  // Kinds that a package or a policy is still to bring are waited for, as those are that nobody serves.
  if (definition === undefined && !isReservedGroup(kind.group)) throw new NoMatchError(kind)
  const nature = definition === undefined ? 'other' : natureOf(definition)
  if (nature !== 'managed' && !(nature === 'composite resource' && claimant === 'claimRef'))
    throw new BindingError('ClassUnusable', `${maker} ${notManaged(kind)}`)
}

/** What to say of a base that is not of a managed kind; admission says the same. */
export const notManaged = (kind: GroupVersionKind): string =>
  `creates a ${formatGroupKind(kind)}, which is not a managed kind: claims are satisfied by kinds that a ManagedResourceDefinition defines, or whose definition has the category managed, and by the composite resources of a ResourceClass`
