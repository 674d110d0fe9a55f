/** A small seeded generator: the same seed gives the same requests on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  /** In [0, n). */
  below(n: number): number {
    return Math.floor(this.next() * n)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  /** One of `choices`, as often as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, value] of choices) if ((left -= weight) < 0) return value
    return (choices.at(-1) as readonly [number, T])[1]
  }

  some<T>(list: readonly T[], probability: number): T[] {
    return list.filter(() => this.chance(probability))
  }

  /** Another generator, for a part that must not depend on how much the rest consumes. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 4_294_967_296))
  }
}
