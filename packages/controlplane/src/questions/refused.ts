import type { Status } from '@weft/api'

/** Why a question is not answered. */
export class Refused {
  readonly status: Status
  constructor(code: 400 | 404 | 413, message: string) {
    const reason = code === 404 ? 'NotFound' : code === 413 ? 'RequestEntityTooLarge' : 'BadRequest'
    this.status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code }
  }
}
