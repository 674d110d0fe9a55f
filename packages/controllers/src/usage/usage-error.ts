/** Why a usage does not protect anything yet. `reason` is that of the event that tells of it. */
export class UsageError extends Error {
  readonly reason: string

  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UsageError'
    this.reason = reason
  }
}
