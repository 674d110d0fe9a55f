import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * Reads an LMDB data file without LMDB: LMDB maps the file into memory and trusts it, so a page that lies beyond the end of a
 * truncated file kills the process with SIGBUS, and it writes to whatever it opens. This looks before that, and never writes.
 * Layout: two meta pages, then B+tree pages; see MDB_meta, MDB_page_header and MDB_node in LMDB's mdb.c.
 */
export class PageFile {
  readonly #fd: number
  readonly #size: number
  readonly #windows = new Map<number, Buffer>()
  readonly #meta: MetaPage

  /** Throws PageFileError if the meta pages are not those of a LMDB file, or the errors of opening it. */
  constructor(file: string) {
    this.#fd = openSync(file, 'r')
    try {
      this.#size = fstatSync(this.#fd).size
      this.#meta = this.#readMeta()
    } catch (error) {
      closeSync(this.#fd)
      throw error
    }
  }

  close(): void {
    closeSync(this.#fd)
  }

  /**
   * False if the file ends before the last page ever used. That is usually damage, but not always: trailing pages that were
   * allocated and given back within one transaction are never written. Only `verify` can tell.
   */
  get isComplete(): boolean {
    return this.#size >= (this.#meta.lastPage + 1) * this.#meta.pageSize
  }

  /** All records of a named table, which must be a small one; undefined if there is no such table. */
  readTable(name: string): Map<string, Buffer> | undefined {
    const root = this.#tables().get(name)
    if (root === undefined) return undefined
    const records = new Map<string, Buffer>()
    for (const node of this.#leaves(root, new Set())) records.set(node.key.toString('utf8'), Buffer.from(this.#data(node)))
    return records
  }

  /**
   * The records of a named table in order, as far as they can be read: what is wrong with a page, or with a record, is told to
   * `onDamage` and passed over. The bytes of a record are good until the next one is asked for: whoever keeps them copies them.
   */
  *scan(name: string, onDamage: (message: string) => void): Generator<{ readonly key: Buffer; readonly data: Buffer }> {
    const root = this.#tables().get(name)
    if (root === undefined) return
    for (const node of this.#leaves(root, new Set(), onDamage)) {
      try {
        yield { key: node.key, data: this.#data(node) }
      } catch (error) {
        if (!(error instanceof PageFileError)) throw error
        onDamage(error.message)
      }
    }
  }

  /**
   * The records of a named table in order, for whoever wants all of a whole table or nothing: throws PageFileError at whatever is wrong. There is one `PageRecord`
   * for all of them, and its bytes are good during the call.
   */
  visit(name: string, onRecord: (record: PageRecord) => void): void {
    const root = this.#tables().get(name)
    if (root === undefined || root === NO_PAGE) return
    const seen = new Set<number>()
    const pending = [root]
    const leaf = Buffer.allocUnsafeSlow(this.#meta.pageSize)
    for (let number = pending.pop(); number !== undefined; number = pending.pop()) {
      const page = this.#treePage(number, seen)
      if (isLeafPage(page)) {
        page.copy(leaf)
        this.#visitLeaf(leaf, number, onRecord)
      } else {
        const children = nodes(page, number)
        for (let i = children.length - 1; i >= 0; i--) pending.push((children[i] as Node).child)
      }
    }
  }

  #visitLeaf(page: Buffer, number: number, onRecord: (record: PageRecord) => void): void {
    const record: PageRecord = { bytes: page, keyStart: 0, keyEnd: 0, data: page, dataStart: 0, dataEnd: 0 }
    const count = page.readUInt16LE(PAGE_LOWER) >> 1
    if (PAGE_HEADER + count * 2 > page.length) throw new PageFileError(`page ${number} is garbled`)
    for (let i = 0; i < count; i++) {
      const offset = PAGE_HEADER + page.readUInt16LE(PAGE_HEADER + i * 2)
      if (offset + NODE_HEADER > page.length) throw new PageFileError(`page ${number} is garbled`)
      const size = page.readUInt32LE(offset)
      record.keyStart = offset + NODE_HEADER
      record.keyEnd = record.keyStart + page.readUInt16LE(offset + 6)
      const isBig = (page.readUInt16LE(offset + 4) & NODE_BIG) !== 0
      if (record.keyEnd + (isBig ? 8 : size) > page.length) throw new PageFileError(`page ${number} is garbled`)
      record.data = isBig ? this.#large(page, record.keyEnd, size) : page
      record.dataStart = isBig ? 0 : record.keyEnd
      record.dataEnd = record.dataStart + size
      onRecord(record)
    }
  }

  /** Throws PageFileError unless every page that the trees reach is there and is what it should be. Reads all of the trees. */
  verify(): void {
    const seen = new Set<number>()
    const roots = [this.#meta.freeRoot, this.#meta.mainRoot, ...this.#tables().values()]
    for (const root of roots) {
      for (const node of this.#leaves(root, seen)) if (node.flags & NODE_BIG) this.#overflow(node.data, 0, node.size)
    }
  }

  #tables(): Map<string, number> {
    const tables = new Map<string, number>()
    for (const node of this.#leaves(this.#meta.mainRoot, new Set())) {
      // Table names are C strings, with their terminator.
      if (node.flags & NODE_TABLE) tables.set(node.key.toString('utf8', 0, node.key.length - 1), pageNumber(node.data, TREE_ROOT))
    }
    return tables
  }

  #readMeta(): MetaPage {
    const first = decodeMeta(this.#read(0, META_BYTES))
    const second = decodeMeta(this.#read(first.pageSize, META_BYTES))
    return second.transaction > first.transaction ? second : first
  }

  *#leaves(root: number, seen: Set<number>, onDamage: (message: string) => void = fail): Generator<Node> {
    if (root === NO_PAGE) return
    const pending = [root]
    const leaf = Buffer.allocUnsafeSlow(this.#meta.pageSize)
    for (let number = pending.pop(); number !== undefined; number = pending.pop()) {
      const found = this.#nodesOf(number, seen, leaf, onDamage)
      if (found === undefined) continue
      if (found.isLeaf) yield* found.nodes
      // Last in, first out: the first child on top.
      else for (let i = found.nodes.length - 1; i >= 0; i--) pending.push((found.nodes[i] as Node).child)
    }
  }

  /** The nodes of a leaf are read one by one while other pages are: its bytes are copied to `leaf`, where nothing takes their place. */
  #nodesOf(
    number: number,
    seen: Set<number>,
    leaf: Buffer,
    onDamage: (message: string) => void,
  ): { readonly isLeaf: boolean; readonly nodes: readonly Node[] } | undefined {
    try {
      const page = this.#treePage(number, seen)
      const isLeaf = isLeafPage(page)
      if (isLeaf) page.copy(leaf)
      return { isLeaf, nodes: nodes(isLeaf ? leaf : page, number) }
    } catch (error) {
      if (!(error instanceof PageFileError)) throw error
      onDamage(error.message)
      return undefined
    }
  }

  #treePage(number: number, seen: Set<number>): Buffer {
    if (seen.has(number)) throw new PageFileError(`page ${number} is used twice`)
    seen.add(number)
    const page = this.#page(number)
    if (!(page.readUInt16LE(PAGE_FLAGS) & (PAGE_BRANCH | PAGE_LEAF)))
      throw new PageFileError(`page ${number} is neither a branch nor a leaf`)
    return page
  }

  #data(node: Node): Buffer {
    if (!(node.flags & NODE_BIG)) {
      if (node.size > node.data.length) throw new PageFileError('a record is longer than its page')
      return node.data.subarray(0, node.size)
    }
    return this.#large(node.data, 0, node.size)
  }

  /** A value in pages of its own, the number of whose first is in `bytes`. */
  #large(bytes: Buffer, at: number, size: number): Buffer {
    return this.#read(this.#overflow(bytes, at, size) + PAGE_HEADER, size)
  }

  #overflow(bytes: Buffer, at: number, size: number): number {
    const number = pageNumber(bytes, at)
    const header = this.#page(number)
    if (!(header.readUInt16LE(PAGE_FLAGS) & PAGE_OVERFLOW)) throw new PageFileError(`page ${number} is not an overflow page`)
    const offset = number * this.#meta.pageSize
    if (offset + PAGE_HEADER + size > this.#size) throw new PageFileError(`a value ends beyond the end of the file`)
    return offset
  }

  #page(number: number): Buffer {
    if (!Number.isSafeInteger(number * this.#meta.pageSize)) throw new PageFileError(`${number} is no page`)
    const page = this.#read(number * this.#meta.pageSize, this.#meta.pageSize)
    if (pageNumber(page, 0) !== number) throw new PageFileError(`page ${number} has another page's number`)
    return page
  }

  #read(offset: number, length: number): Buffer {
    if (offset + length > this.#size) throw new PageFileError(`it ends at byte ${this.#size}, but a page is expected at ${offset}`)
    const within = offset % WINDOW
    if (within + length <= WINDOW) return this.#window(offset - within).subarray(within, within + length)
    return this.#readBytes(offset, length)
  }

  /**
   * Trees are mostly written in order: neighbours are read together. The oldest window makes room for a new one in the same memory: as many buffers as
   * the file has windows would have the collector run all the time.
   */
  #window(start: number): Buffer {
    const known = this.#windows.get(start)
    if (known !== undefined) return known
    let room: Buffer | undefined
    if (this.#windows.size >= MAX_WINDOWS) {
      const [oldest, bytes] = this.#windows.entries().next().value as [number, Buffer]
      this.#windows.delete(oldest)
      room = bytes
    }
    const length = Math.min(WINDOW, this.#size - start)
    const bytes = this.#readBytes(start, length, room?.length === length ? room : undefined)
    this.#windows.set(start, bytes)
    return bytes
  }

  #readBytes(offset: number, length: number, bytes: Buffer = Buffer.allocUnsafeSlow(length)): Buffer {
    if (readSync(this.#fd, bytes, 0, length, offset) !== length) throw new PageFileError(`reading at ${offset} came back short`)
    return bytes
  }
}

/** Where a record is in the bytes of its page, and of its value's. */
export interface PageRecord {
  bytes: Buffer
  keyStart: number
  keyEnd: number
  data: Buffer
  dataStart: number
  dataEnd: number
}

/** The file is not, or no longer, a whole LMDB file. */
export class PageFileError extends Error {
  override readonly name = 'PageFileError'
}

interface MetaPage {
  readonly pageSize: number
  readonly freeRoot: number
  readonly mainRoot: number
  readonly lastPage: number
  readonly transaction: number
}

/** Of a page, as long as that is what the bytes are. */
class Node {
  readonly flags: number
  readonly size: number
  readonly #page: Buffer
  readonly #start: number
  readonly #keyEnd: number

  constructor(page: Buffer, offset: number, number: number) {
    if (offset + NODE_HEADER > page.length) throw new PageFileError(`page ${number} is garbled`)
    this.#page = page
    this.#start = offset + NODE_HEADER
    this.size = page.readUInt32LE(offset)
    this.flags = page.readUInt16LE(offset + 4)
    this.#keyEnd = this.#start + page.readUInt16LE(offset + 6)
    if (this.#keyEnd > page.length) throw new PageFileError(`page ${number} is garbled`)
  }

  get key(): Buffer {
    return this.#page.subarray(this.#start, this.#keyEnd)
  }

  /** What follows the key; longer than the node's own data. */
  get data(): Buffer {
    return this.#page.subarray(this.#keyEnd)
  }

  /** Of a branch, where the flags are the upper bits of the child's page number. */
  get child(): number {
    return this.flags * 2 ** 32 + this.size
  }
}

/** The two meta pages, at the largest page size that there is. */
export const META_PAGES_BYTES: number = 2 * 65_536

// The pages of the tables lie between one another: larger windows would be read once for each table.
const WINDOW = 16 * 1024
const MAX_WINDOWS = 2048

const PAGE_HEADER = 24
const PAGE_FLAGS = 18
const PAGE_LOWER = 20
const PAGE_BRANCH = 0x01
const PAGE_LEAF = 0x02
const PAGE_OVERFLOW = 0x04
const PAGE_META = 0x08
const NODE_HEADER = 8
const NODE_BIG = 0x01
const NODE_TABLE = 0x02
const META_BYTES = 176
const META_MAGIC = 0xbeefc0de
// A tree (MDB_db): padding, flags, depth, four counters, root page.
const TREE_BYTES = 48
const TREE_ROOT = 40
const META_TREES = PAGE_HEADER + 24
const NO_PAGE = -1

function decodeMeta(page: Buffer): MetaPage {
  if (!(page.readUInt16LE(PAGE_FLAGS) & PAGE_META) || page.readUInt32LE(PAGE_HEADER) !== META_MAGIC) {
    throw new PageFileError('it does not start with the two meta pages of a LMDB file')
  }
  const pageSize = page.readUInt32LE(META_TREES)
  if (pageSize < 512 || pageSize > 65536 || (pageSize & (pageSize - 1)) !== 0) throw new PageFileError(`${pageSize} is no page size`)
  return {
    pageSize,
    freeRoot: pageNumber(page, META_TREES + TREE_ROOT),
    mainRoot: pageNumber(page, META_TREES + TREE_BYTES + TREE_ROOT),
    lastPage: pageNumber(page, META_TREES + 2 * TREE_BYTES),
    transaction: pageNumber(page, META_TREES + 2 * TREE_BYTES + 8),
  }
}

function nodes(page: Buffer, number: number): readonly Node[] {
  const count = page.readUInt16LE(PAGE_LOWER) >> 1
  if (PAGE_HEADER + count * 2 > page.length) throw new PageFileError(`page ${number} is garbled`)
  return Array.from({ length: count }, (_, i) => new Node(page, PAGE_HEADER + page.readUInt16LE(PAGE_HEADER + i * 2), number))
}

function pageNumber(bytes: Buffer, offset: number): number {
  if (offset + 8 > bytes.length) throw new PageFileError('a node is cut off')
  const [low, high] = [bytes.readUInt32LE(offset), bytes.readUInt32LE(offset + 4)]
  return low === 0xffff_ffff && high === 0xffff_ffff ? NO_PAGE : high * 2 ** 32 + low
}

const isLeafPage = (page: Buffer): boolean => (page.readUInt16LE(PAGE_FLAGS) & PAGE_LEAF) !== 0

function fail(message: string): never {
  throw new PageFileError(message)
}
