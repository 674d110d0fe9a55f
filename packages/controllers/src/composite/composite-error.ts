/** Why a composite cannot be composed now. The message is for the person who reads its Synced condition. */
export type CompositeErrorCode =
  | 'CompositionNotFound'
  | 'CompositionUnusable'
  /** C4: another one of the same name. */
  | 'CompositionReplaced'
  /** C16: the Composition does not keep the definition's promise. */
  | 'ContractBroken'
  /** C11, C12: a resource outside of what may be composed. */
  | 'ScopeRefused'
  | 'KindNotServed'
  /** A name in composedRefs belongs to something else. */
  | 'MemberRefused'
  | 'RenderFailed'
  /** It would compose itself for ever. */
  | 'Cycle'
  | 'FieldInvalid'
  /** One or more members could not be applied. */
  | 'ApplyFailed'

export class CompositeError extends Error {
  readonly code: CompositeErrorCode

  constructor(code: CompositeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CompositeError'
    this.code = code
  }
}
