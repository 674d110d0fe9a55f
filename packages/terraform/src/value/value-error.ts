/** A value that is not of its type, or bytes that are no value. The message never quotes a value: it may be a secret. */
export class ValueError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ValueError'
  }
}
