/** Why a resource is not worked on although its spec is right and everything can be reached. Becomes the reason of its conditions. */
export type RefusalReason =
  /** The external name is another's. */
  | 'ExternalNameTaken'
  /** Another asks for it at the same time. */
  | 'ExternalNameContested'
  /** There is one of that name already that this resource did not create. */
  | 'ExternalResourceExists'
  /** It owns one external resource and names another. */
  | 'ExternalNameChanged'
  /** It existed before the control plane was restored from a backup, and is gone. */
  | 'ExternalResourceLost'

/** Nothing is done to any external resource until something changes. Not a failure: it is looked at again at leisure. */
export class Refusal extends Error {
  readonly reason: RefusalReason
  /** Is it known that there is nothing that could be used? Then it is not Ready either. */
  readonly unready: boolean
  readonly soon: boolean

  constructor(reason: RefusalReason, message: string, { unready = true, soon = false }: { unready?: boolean; soon?: boolean } = {}) {
    super(message)
    this.name = 'Refusal'
    this.reason = reason
    this.unready = unready
    this.soon = soon
  }
}
