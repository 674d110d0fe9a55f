/** What a socket would say, with a code as its errors have one; for what only the transport can know. */
export class SocketError extends Error {
  readonly code: SocketErrorCode

  constructor(code: SocketErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

type SocketErrorCode = 'EANSWERTOOLARGE' | 'ECONNECTTIMEOUT' | 'EPROXY' | 'ETIMEDOUT'
