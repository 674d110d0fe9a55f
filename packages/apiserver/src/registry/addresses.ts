import { isIPv4 } from 'node:net'
import type { KubeObject } from '@weft/api'
import type { ObjectStore } from './store.ts'

export interface AddressRange {
  readonly base: string
  readonly bits: number
}

/**
 * IPv4 addresses of one range, each for one object at a time. What objects have follows their store; what is being
 * written is reserved until the write is over, one way or the other.
 */
export class Addresses {
  readonly #base: number
  readonly #size: number
  /** How many objects have an address. Two may: those written by other means than this server's own. */
  readonly #taken = new Map<string, number>()
  readonly #reserved = new Set<string>()

  constructor(range: AddressRange, store: ObjectStore, addressesOf: (object: KubeObject) => readonly string[]) {
    this.#base = numberOf(range.base)
    this.#size = 2 ** (32 - range.bits)
    const count = (object: KubeObject | undefined, by: 1 | -1): void => {
      for (const address of object === undefined ? [] : addressesOf(object)) this.#count(address, by)
    }
    for (const { object } of store.scan(store.prefix)) count(object, 1)
    store.follow(store.revision, (changes) => {
      for (const { type, current, previous } of changes) {
        count(previous?.object, -1)
        if (type !== 'deleted') count(current.object, 1)
      }
    })
  }

  /** Neither the first (the network) nor the last (broadcast) is an address of anybody. */
  contains(address: string): boolean {
    const offset = isIPv4(address) ? numberOf(address) - this.#base : -1
    return offset > 0 && offset < this.#size - 1
  }

  isTaken(address: string): boolean {
    return this.#taken.has(address) || this.#reserved.has(address)
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
    this.#reserved.add(address)
  }

  /** The write is over: the store knows whether the address was taken. */
  settle(address: string): void {
    this.#reserved.delete(address)
  }

  #count(address: string, by: 1 | -1): void {
    const count = (this.#taken.get(address) ?? 0) + by
    if (count > 0) this.#taken.set(address, count)
    else this.#taken.delete(address)
  }
}

const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

const textOf = (number: number): string => [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.')
