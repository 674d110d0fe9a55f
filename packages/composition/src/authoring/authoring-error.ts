/**
 * A composition written in TypeScript is wrong. Thrown, unlike everything else in this package: it is read by the author, whose program this is,
 * and the stack shows the line.
 */
export class AuthoringError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'AuthoringError'
  }
}
