import type { AdmissionRequest } from './admission.ts'

const MAX_WARNING = 4096
const MAX_ANNOTATION = 10 * 1024

/** Passes on a warning whose text others wrote: one line, and no longer than a header may be. */
export function warn(request: AdmissionRequest, text: string): void {
  // oxlint-disable-next-line no-control-regex -- control characters are what must not reach a header
  const line = text.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim()
  if (line !== '') request.warn(line.length > MAX_WARNING ? line.slice(0, MAX_WARNING) : line)
}

export function annotate(request: AdmissionRequest, key: string, value: string): void {
  request.annotate?.(key, value.length > MAX_ANNOTATION ? value.slice(0, MAX_ANNOTATION) : value)
}
