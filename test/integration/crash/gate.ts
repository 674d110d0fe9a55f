/** Open while clients may write. It closes in the moment of a kill: requests on their way are lost then, later ones wait. */
export class Gate {
  #open: Promise<void> | undefined
  #let: (() => void) | undefined
  #isOpen = false
  #waiting = 0
  #onAllWaiting: (() => void) | undefined
  readonly #clients: number

  constructor(clients: number) {
    this.#clients = clients
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  async passage(): Promise<void> {
    if (this.#isOpen) return
    this.#open ??= new Promise((resolve) => (this.#let = resolve))
    this.#waiting++
    if (this.#waiting === this.#clients) this.#onAllWaiting?.()
    await this.#open
  }

  open(): void {
    this.#isOpen = true
    this.#waiting = 0
    this.#let?.()
    this.#open = undefined
  }

  close(): void {
    this.#isOpen = false
  }

  /** Resolves when every client waits: none of them has a request on its way. */
  async allWaiting(): Promise<void> {
    if (this.#waiting === this.#clients) return
    await new Promise<void>((resolve) => (this.#onAllWaiting = resolve))
  }
}
