import { digits, OBJECT, type RequestTemplate, SEQUENCE } from './load.ts'

interface Mark {
  readonly at: number
  readonly of: 'sequence' | 'object'
}

/** A request as bytes in which numbers are overwritten in place. One per client: it is reused once its answer is there. */
export class PatchedBytes {
  readonly bytes: Buffer
  readonly #marks: readonly Mark[]

  constructor(text: string) {
    this.bytes = Buffer.from(text, 'latin1')
    this.#marks = [...find(text, SEQUENCE, 'sequence'), ...find(text, OBJECT, 'object')]
  }

  patch(sequence: number, object: number): Buffer {
    for (const { at, of } of this.#marks) this.bytes.write(digits(of === 'sequence' ? sequence : object), at, 'latin1')
    return this.bytes
  }
}

function find(text: string, mark: string, of: Mark['of']): Mark[] {
  const marks: Mark[] = []
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) marks.push({ at, of })
  return marks
}

/** The whole HTTP/1.1 message. Bodies must be ASCII. */
export function http1Message(host: string, token: string, { method, path, contentType, body = '' }: RequestTemplate): string {
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${host}`,
    `authorization: Bearer ${token}`,
    'accept: application/json',
    'user-agent: weft-bench',
  ]
  if (body !== '') head.push(`content-type: ${contentType ?? 'application/json'}`, `content-length: ${body.length}`)
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
