import { isIPv4 } from 'node:net'
import type { KubeObject } from '@weft/api'
import type { ObjectStore } from './store.ts'
import { TakenValues } from './taken-values.ts'

export interface AddressRange {
  readonly base: string
  readonly bits: number
}

/** IPv4 addresses of one range, each for one object at a time. */
export class Addresses {
  readonly #base: number
  readonly #size: number
  readonly #taken: TakenValues<string>

  constructor(range: AddressRange, store: ObjectStore, addressesOf: (object: KubeObject) => readonly string[]) {
    this.#base = numberOf(range.base)
    this.#size = 2 ** (32 - range.bits)
    this.#taken = new TakenValues(store, addressesOf)
  }

  /** Neither the first (the network) nor the last (broadcast) is an address of anybody. */
  contains(address: string): boolean {
    const offset = isIPv4(address) ? numberOf(address) - this.#base : -1
    return offset > 0 && offset < this.#size - 1
  }

  isTaken(address: string): boolean {
    return this.#taken.has(address)
  }

  /** One that nobody has, from a random place on; undefined when there is none. The lowest ones are left to those who name theirs. */
  free(random: () => number): string | undefined {
    const named = Math.min(256, Math.max(16, this.#size / 16))
    return this.#freeIn(named, this.#size - 1, random) ?? this.#freeIn(1, named, random)
  }

  #freeIn(from: number, to: number, random: () => number): string | undefined {
    const count = to - from
    const start = Math.floor(random() * count)
    for (let i = 0; i < count; i++) {
      const address = textOf(this.#base + from + ((start + i) % count))
      if (!this.isTaken(address)) return address
    }
    return undefined
  }

  reserve(address: string): void {
    this.#taken.reserve(address)
  }

  /** The write is over: the store knows whether the address was taken. */
  settle(address: string): void {
    this.#taken.settle(address)
  }
}

const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

const textOf = (number: number): string => [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.')
