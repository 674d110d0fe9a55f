import { crc32 } from 'node:zlib'
import { crcOf } from './crc.ts'
import { type PageFile, PageFileError, type PageRecord } from './page-file.ts'
import { DamagedRecordError, decodeCompacted, decodeLive, LOGGED, type Live, VERSION } from './record.ts'

/**
 * Is everything in a store as it was written? Reads all that `examine` reads and believes no more than it does, but finds no names for what is wrong: a store
 * that is whole, which nearly every one is, is checked in a third of the time, and whoever is told `false` calls `examine`. Throws nothing but
 * errors of reading the file.
 */
export function isWhole(pages: PageFile): boolean {
  try {
    const check = new Check(readMeta(pages))
    pages.visit('log', (record) => check.onChange(record))
    pages.visit('keys', (record) => check.onKey(record))
    pages.visit('values', (record) => check.onValue(record))
    return check.isWhole
  } catch (error) {
    if (error instanceof PageFileError || error instanceof DamagedRecordError) return false
    throw error
  }
}

interface Meta {
  readonly live: Live
  readonly compacted: number
}

function readMeta(pages: PageFile): Meta {
  const records = pages.readTable('meta')
  const compacted = records?.get('compacted')
  return { live: decodeLive(records?.get('live')), compacted: compacted === undefined ? 0 : decodeCompacted(compacted).revision }
}

/** What the value of a revision must be: the sum of its key, and that of both. */
interface Expected {
  readonly ofKey: number
  readonly checksum: number
}

class Check {
  readonly #meta: Meta
  /** By revision; what was found as it was written is taken out. */
  readonly #values = new Map<number, Expected>()
  /** Of what was written since the log begins: revisions that nothing has taken the place of. */
  readonly #standing = new Set<number>()
  #last: number
  #entries = 0
  #sum = 0
  #agrees = true

  constructor(meta: Meta) {
    this.#meta = meta
    this.#last = meta.compacted
  }

  get isWhole(): boolean {
    const { live } = this.#meta
    return this.#agrees && this.#values.size === 0 && this.#standing.size === 0 && this.#entries === live.entries && this.#sum === live.sum
  }

  onChange({ bytes, keyStart, keyEnd, data, dataStart, dataEnd }: PageRecord): void {
    const revision = revisionIn(bytes, keyStart, keyEnd)
    const isSound = dataEnd - dataStart > LOGGED.key && crcOf(data, dataStart + LOGGED.checked, dataEnd) === data.readUInt32LE(dataStart)
    if (!isSound || revision !== this.#last + 1) return this.#disagree()
    this.#last = revision
    const ofKey = crcOf(data, dataStart + LOGGED.key, dataEnd)
    if (data[dataStart + LOGGED.type] !== LOGGED.deleted) {
      this.#values.set(revision, { ofKey, checksum: data.readUInt32LE(dataStart + LOGGED.checksum) })
      this.#standing.add(revision)
    }
    const previous = data.readDoubleLE(dataStart + LOGGED.previousRevision)
    if (previous === 0) return
    this.#standing.delete(previous)
    this.#expect(previous, ofKey, data.readUInt32LE(dataStart + LOGGED.previousChecksum))
  }

  onKey({ bytes, keyStart, keyEnd, data, dataStart, dataEnd }: PageRecord): void {
    const summed = dataStart + VERSION.summed
    const isSound = dataEnd - dataStart === VERSION.bytes && crcOf(data, dataStart, summed) === data.readUInt32LE(summed)
    if (!isSound) return this.#disagree()
    const revision = data.readDoubleLE(dataStart)
    const ofKey = crcOf(bytes, keyStart, keyEnd)
    this.#entries++
    this.#sum = (this.#sum + crcOf(data, dataStart, summed, ofKey)) >>> 0
    // What was written since the log begins must be what the log says last.
    if (revision > this.#meta.compacted && !this.#standing.delete(revision)) return this.#disagree()
    this.#expect(revision, ofKey, data.readUInt32LE(dataStart + VERSION.checksum))
  }

  /** After all the others. */
  onValue({ bytes, keyStart, keyEnd, data, dataStart, dataEnd }: PageRecord): void {
    const revision = revisionIn(bytes, keyStart, keyEnd)
    const expected = this.#values.get(revision)
    if (expected === undefined) return
    const { ofKey, checksum } = expected
    // Of no bytes zlib answers 0 or what it was given, as their address happens to be.
    const actual = dataStart === dataEnd ? ofKey : crc32(data.subarray(dataStart, dataEnd), ofKey)
    if (actual === checksum) this.#values.delete(revision)
  }

  #expect(revision: number, ofKey: number, checksum: number): void {
    const known = this.#values.get(revision)
    if (known === undefined) this.#values.set(revision, { ofKey, checksum })
    else if (known.ofKey !== ofKey || known.checksum !== checksum) this.#disagree()
  }

  #disagree(): void {
    this.#agrees = false
  }
}

const revisionIn = (bytes: Buffer, start: number, end: number): number =>
  end - start === 8 ? bytes.readUInt32BE(start) * 0x1_0000_0000 + bytes.readUInt32BE(start + 4) : 0
