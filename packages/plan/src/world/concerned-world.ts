import { deepEqual, type GroupKind, inTurn, type KubeObject } from '@weft/api'
import type { Client, CustomResourceDefinition } from '@weft/client'
import { controllerOf, type TraceRef } from '@weft/composition'
import { AGGREGATE, claimantsOf, COMPOSITE, natureOf, sameKind } from '@weft/controllers'
import type { Change } from '../change/plan.ts'
import type { Snapshot } from '../change/snapshot.ts'
import type { Asked, AskedLabels, AskedName } from './asked.ts'
import { dependentsOf } from './dependents.ts'
import { follow, refOf, tableOf } from './follow.ts'
import { isPlatform, kindOf, NEEDED } from './kinds.ts'
import { beginReading, type Beginning, readEverything, type ReadOptions } from './read-world.ts'
import type { StoredKind, World } from './world.ts'
import type { WorldReader } from './world-reader.ts'

/** What was seen of a fork in which a change was carried out, or tried. */
export interface Run {
  readonly asked: Asked
  readonly before: Snapshot
  readonly after: Snapshot
}

/** As often as a plan is made again because something was lacking. Then all is read: each time costs as much as the first. */
const MAX_ROUNDS = 4
const AT_ONCE = 8

/**
 * What a change has to do with, in as far as that is known: the whole platform (definitions, compositions, classes, rights), and of all that is made
 * by it, what the change names and what is tied to that. What else it has to do with shows when it is carried out: whatever controllers ask for,
 * make, delete or let go of. So a plan is made in what is known, and made again as long as `complete` finds that something was lacking. A change of the
 * platform itself may concern all that is made by it: then everything is read at once.
 */
export class ConcernedWorld {
  readonly #begun: Beginning
  /** Of whom it is known what they own. */
  readonly #owners = new Set<string>()
  #rounds = 1
  #isWhole = false

  private constructor(begun: Beginning) {
    this.#begun = begun
  }

  static async read(client: Client, change: Change, options: ReadOptions = {}): Promise<ConcernedWorld> {
    const begun = await beginReading(client, change, options)
    const concerned = new ConcernedWorld(begun)
    const { reader } = begun
    const isAbout = begun.concerned.map((ref) => reader.stored(kindOf(ref)))
    if (isAbout.length === 0 || isAbout.some((kind) => kind === undefined || isPlatform(kind))) await concerned.#readAll()
    else {
      await readPlatform(reader)
      await follow(reader, begun.concerned)
    }
    return concerned
  }

  world(): World {
    return this.#begun.reader.world()
  }

  /** Reads what turned out to be lacking. False: nothing was, so that what the run came to is what the whole world would have come to. */
  async complete(run: Run): Promise<boolean> {
    if (this.#isWhole) return false
    const { reader } = this.#begun
    const { size } = reader
    await this.#completeNames(run)
    await this.#completeLabels(run)
    await this.#completeClaimants(run)
    await this.#completeDependents(run)
    if (reader.size === size) return false
    if (++this.#rounds > MAX_ROUNDS) await this.#readAll()
    return true
  }

  async #readAll(): Promise<void> {
    this.#isWhole = true
    await readEverything(this.#begun)
  }

  /** What exists under a name that was asked for, or that something new was given. */
  async #completeNames({ asked, before, after }: Run): Promise<void> {
    const { reader } = this.#begun
    const created = [...after].flatMap(([key, object]) => (before.has(key) ? [] : [refOf(object)]))
    const named = asked.names.flatMap((name) => {
      const kind = this.#kindAt(name)
      return kind === undefined || reader.wasShown(kind, name) ? [] : [refAt(kind, name)]
    })
    await follow(reader, [...created, ...named])
  }

  async #completeLabels({ asked, before, after }: Run): Promise<void> {
    const { reader } = this.#begun
    const isNew = ([key, { metadata }]: [string, KubeObject]): readonly string[] => (before.has(key) ? [] : [metadata.uid ?? ''])
    const made = new Set([...after].flatMap(isNew))
    // Nothing on the server bears the uid of what was made in the fork.
    const open = asked.labels.filter(({ labelSelector }) => !made.has(labelSelector.split('=').at(-1) ?? ''))
    const found = await inTurn(open, AT_ONCE, async (labels) => {
      const kind = this.#kindAt(labels)
      return kind === undefined || isPlatform(kind) ? [] : reader.select(kind, labels)
    })
    await follow(reader, found.flat().map(refOf))
  }

  /** Claims and requirements may wait for what nobody has, by its name, and groups by its labels; nothing of it says which. */
  async #completeClaimants({ before, after }: Run): Promise<void> {
    const free = [...after].filter(([key, object]) => isNewlyFree(before.get(key), object)).map(([, object]) => kindOf(object))
    const kinds = free.flatMap((kind) => claimantKindsOf(this.#begun, kind))
    const { reader } = this.#begun
    const unread = kinds.flatMap((kind) => reader.stored(kind) ?? []).filter((kind) => !reader.isWhole(kind))
    await reader.read(unread)
    await follow(reader, unread.flatMap((kind) => reader.of(kind)).map(refOf))
  }

  /** What goes takes along what it owns. */
  async #completeDependents({ before, after }: Run): Promise<void> {
    const { reader } = this.#begun
    const gone = [...before].flatMap(([key, object]) => {
      const { uid = '' } = object.metadata
      return reader.has(object) && !this.#owners.has(uid) && isGone(object, after.get(key)) ? [uid] : []
    })
    for (const uid of gone) this.#owners.add(uid)
    if (gone.length > 0) await follow(reader, await dependentsOf(reader, new Set(gone)))
  }

  #kindAt({ group, plural }: AskedName | AskedLabels): StoredKind | undefined {
    return this.#begun.reader.resource(group, plural)
  }
}

/** All that says what can be made of what. */
async function readPlatform(reader: WorldReader): Promise<void> {
  await reader.read([...reader.custom.filter(isPlatform), ...NEEDED.flatMap((kind) => reader.stored(kind) ?? [])])
  // Classes are called what their authors like.
  await reader.read(
    tableOf(reader)
      .classKinds()
      .flatMap((kind) => reader.stored(kind) ?? []),
  )
}

const refAt = ({ group, version, kind }: StoredKind, { name, namespace }: AskedName): TraceRef => ({
  apiVersion: group === '' ? version : `${group}/${version}`,
  kind,
  name,
  ...(namespace !== undefined && { namespace }),
})

/** Nobody has it, and somebody may want it who did not before. */
function isNewlyFree(before: KubeObject | undefined, after: KubeObject): boolean {
  if (before === after || claimantsOf(after).length > 0) return false
  return before === undefined || claimantsOf(before).length > 0 || !deepEqual(before.metadata.labels, after.metadata.labels)
}

const isGone = (before: KubeObject, after: KubeObject | undefined): boolean =>
  after?.metadata.uid !== before.metadata.uid ||
  (after?.metadata.deletionTimestamp !== undefined && before.metadata.deletionTimestamp === undefined)

/** Kinds of which an object may want one of this kind. */
function claimantKindsOf({ reader, definitions }: Beginning, kind: GroupKind): readonly GroupKind[] {
  const table = tableOf(reader)
  const isGroup = [AGGREGATE, COMPOSITE].some((group) => sameKind(group, kind))
  const claims = table.claims.filter((claim) => isGroup || table.managedKinds(claim).some((each) => sameKind(each, kind)))
  const groups = claims.length > 0 && !isGroup ? [AGGREGATE, COMPOSITE] : []
  return [...claims, ...groups, ...requirementKindsOf(definitions, kind)]
}

/** Of a composite: the kinds by which it is claimed or required. */
function requirementKindsOf(definitions: readonly CustomResourceDefinition[], kind: GroupKind): readonly GroupKind[] {
  const own = definitions.find(({ spec }) => spec.group === kind.group && spec.names.kind === kind.kind)
  const nature = own && natureOf(own)
  if (own === undefined || (nature !== 'composite' && nature !== 'composite resource')) return []
  return (
    definitions
      .filter((each) => natureOf(each) === 'requirement' && each.spec.group === kind.group)
      // One definition of Crossplane's defines both; a publication is an object of its own.
      .filter((each) => nature === 'composite' || controllerOf(each)?.uid === controllerOf(own)?.uid)
      .map(({ spec }) => ({ group: spec.group, kind: spec.names.kind }))
  )
}
