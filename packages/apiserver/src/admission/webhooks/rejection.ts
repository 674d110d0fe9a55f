import { goQuote, isJsonObject, type JsonObject, type Status, StatusError, type StatusReason } from '@weft/api'

/** The refusal of a webhook, in its own words; a code below 400 or a success would tell the client that all is well. */
export function rejection(webhook: string, given: JsonObject): StatusError {
  const { code, message, reason, details } = given
  const denied = `admission webhook ${goQuote(webhook)} denied the request`
  const words = typeof message === 'string' && message !== '' ? message : typeof reason === 'string' ? reason : ''
  const number = Number(code ?? 0)
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: words === '' ? `${denied} without explanation` : `${denied}: ${words}`,
    ...(typeof reason === 'string' && reason !== '' && { reason: reason as StatusReason }),
    ...(isJsonObject(details) && { details: details }),
    code: Number.isInteger(number) && number >= 400 && number <= 599 ? number : 400,
  }
  return new StatusError(status)
}

/** A webhook could not be asked or did not answer properly. Whether that matters is for its failure policy to say. */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError'
  readonly code = 'WebhookCallError'

  constructor(webhook: string, why: string, options?: ErrorOptions) {
    super(`failed calling webhook ${goQuote(webhook)}: ${why}`, options)
  }
}
