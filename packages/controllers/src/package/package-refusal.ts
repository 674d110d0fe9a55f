/** Why a package is not installed. */
export type RefusalCode =
  /** The package could not be fetched or read. */
  | 'UnpackingPackage'
  /** It is another sort of package, or made for another version of the control plane. */
  | 'IncompatiblePackage'
  /** Something that it installs belongs to somebody else. */
  | 'OwnedByAnother'
  /** The server refuses something that it installs. */
  | 'ObjectRefused'
  /** Its dependencies cannot be had, or do not fit. */
  | 'UnresolvableDependencies'
  /** Its dependencies are on their way. */
  | 'WaitingForDependencies'

/** Nothing was changed. The message is one sentence for the package's condition. */
export class PackageRefusal extends Error {
  readonly code: RefusalCode
  /** May it go away by itself, without a change of anything that is watched? */
  readonly retry: boolean

  constructor(code: RefusalCode, message: string, { retry = false, ...options }: ErrorOptions & { readonly retry?: boolean } = {}) {
    super(message, options)
    this.name = 'PackageRefusal'
    this.code = code
    this.retry = retry
  }
}
