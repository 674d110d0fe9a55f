/**
 * The signal that a request's client went away. Made only when somebody asks for it, and never aborted after an answer
 * was sent whole: both would cost a tenth of a GET.
 */
export class ClientGone {
  #controller: AbortController | undefined
  #gone = false

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#gone) this.#controller.abort(REASON)
    }
    return this.#controller.signal
  }

  get isGone(): boolean {
    return this.#gone
  }

  abort(): void {
    if (this.#gone) return
    this.#gone = true
    this.#controller?.abort(REASON)
  }
}

// One for all: an error of its own for each, with its stack, is what makes abort() slow.
const REASON = new Error('the client went away')
