/** What a connection's bytes mean. Data is reported in slices, never joined: nobody here needs it whole. */
export interface Http1Handler {
  onHead(status: number): void
  onData(data: Buffer): void
  onEnd(): void
}

type State = 'head' | 'fixed' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer'

/** Answers of one connection, one after the other. As small as the comparison needs it: the generator must not be the limit. */
export class Http1Parser {
  readonly #handler: Http1Handler
  #state: State = 'head'
  #left = 0
  #kept: Buffer = Buffer.alloc(0)

  constructor(handler: Http1Handler) {
    this.#handler = handler
  }

  push(input: Buffer): void {
    let data = this.#kept.length === 0 ? input : Buffer.concat([this.#kept, input])
    this.#kept = Buffer.alloc(0)
    while (data.length > 0) {
      const rest = this.#step(data)
      if (rest === undefined) {
        this.#kept = data
        return
      }
      data = rest
    }
  }

  /** Consumes one piece; undefined when it needs more bytes to go on. */
  #step(data: Buffer): Buffer | undefined {
    switch (this.#state) {
      case 'head':
        return this.#head(data)
      case 'fixed':
      case 'chunk':
        return this.#body(data)
      case 'chunk-size':
        return this.#chunkSize(data)
      case 'chunk-end':
        if (data.length < 2) return undefined
        this.#state = 'chunk-size'
        return data.subarray(2)
      case 'trailer':
        if (data.length < 2) return undefined
        this.#finish()
        return data.subarray(2)
    }
  }

  #head(data: Buffer): Buffer | undefined {
    const end = data.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const head = data.toString('latin1', 0, end + 2)
    this.#handler.onHead(Number(head.slice(9, 12)))
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    this.#left = Number(length ?? 0)
    this.#state = length === undefined ? 'chunk-size' : 'fixed'
    if (this.#state === 'fixed' && this.#left === 0) this.#finish()
    return data.subarray(end + 4)
  }

  #body(data: Buffer): Buffer {
    const piece = data.length <= this.#left ? data : data.subarray(0, this.#left)
    this.#left -= piece.length
    this.#handler.onData(piece)
    if (this.#left === 0) {
      if (this.#state === 'fixed') this.#finish()
      else this.#state = 'chunk-end'
    }
    return data.subarray(piece.length)
  }

  #chunkSize(data: Buffer): Buffer | undefined {
    const end = data.indexOf('\r\n')
    if (end < 0) return undefined
    this.#left = Number.parseInt(data.toString('latin1', 0, end), 16)
    this.#state = this.#left === 0 ? 'trailer' : 'chunk'
    return data.subarray(end + 2)
  }

  #finish(): void {
    this.#state = 'head'
    this.#handler.onEnd()
  }
}
