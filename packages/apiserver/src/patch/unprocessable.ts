import { failure, StatusError } from '@weft/api'

/** What kube-apiserver answers when a patch is well-formed but cannot be applied: it never says why. */
export const unprocessable = (cause?: unknown): StatusError =>
  failure({ code: 422, reason: 'Invalid', message: 'the server rejected our request due to an error in our request', details: {}, cause })

/** Errors that kube-apiserver has no status for arrive as 500 without a reason. */
export const unclassified = (message: string): StatusError =>
  new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 })
