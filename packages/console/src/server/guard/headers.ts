import type { ServerResponse } from 'node:http'

const nothing = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * For what is not a page: answers of the API are data, whatever they contain. Should a browser show one as a page all the
 * same, nothing in it runs.
 */
export const DATA_POLICY: string = `${nothing}; sandbox`

/**
 * For the app. Scripts and styles come from files of the console only. The nonce is for the style elements that the editor
 * makes at run time. Chromium itself tries to set a style attribute when somebody types over coloured text in the editor; it is
 * refused, says so in the browser's console, and nothing is lost: the editor draws the text anew.
 */
export const pagePolicy = (nonce: string): string =>
  `${nothing}; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self'; font-src 'self'; connect-src 'self'`

/** For pages of the manual: nothing in them is made at run time. */
export const MANUAL_POLICY: string = `${nothing}; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'`

/** On every answer; files and pages replace the policy. */
export function setSecurityHeaders(response: ServerResponse): void {
  response.setHeader('content-security-policy', DATA_POLICY)
  response.setHeader('x-content-type-options', 'nosniff')
  response.setHeader('x-frame-options', 'DENY')
  response.setHeader('referrer-policy', 'no-referrer')
  response.setHeader('cross-origin-opener-policy', 'same-origin')
  response.setHeader('cross-origin-resource-policy', 'same-origin')
  response.setHeader('permissions-policy', 'camera=(), geolocation=(), microphone=()')
}
