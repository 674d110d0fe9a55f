/** Why a composite resource could not be composed. The message goes into its Synced condition. */
export class ComposeError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ComposeError'
  }
}
