interface Entry {
  readonly key: string
  readonly at: number
}

/** Keys in the order in which their time comes: a binary heap. A key may be in it twice; the caller checks what is due. */
export class Expiry {
  readonly #heap: Entry[] = []

  add(key: string, at: number): void {
    const heap = this.#heap
    let index = heap.push({ key, at }) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if ((heap[parent] as Entry).at <= at) break
      this.#swap(index, parent)
      index = parent
    }
  }

  /** Takes out every key whose time has come. */
  *due(now: number): Iterable<string> {
    for (;;) {
      const first = this.#heap[0]
      if (first === undefined || first.at > now) return
      this.#removeFirst()
      yield first.key
    }
  }

  #removeFirst(): void {
    const heap = this.#heap
    const last = heap.pop() as Entry
    if (heap.length === 0) return
    heap[0] = last
    for (let index = 0; ;) {
      const left = 2 * index + 1
      const right = left + 1
      let least = index
      if (left < heap.length && (heap[left] as Entry).at < (heap[least] as Entry).at) least = left
      if (right < heap.length && (heap[right] as Entry).at < (heap[least] as Entry).at) least = right
      if (least === index) return
      this.#swap(index, least)
      index = least
    }
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap
    const held = heap[a] as Entry
    heap[a] = heap[b] as Entry
    heap[b] = held
  }
}
