import { gunzipSync, gzipSync } from 'node:zlib'
import { getOwn } from '@weft/api'
import { fromSecretData, toBase64 } from '@weft/composition'
import type { StoredState } from '@weft/terraform'

/**
 * Everything that must outlive us about one resource. The state is the only handle of what was made, and the private bytes and the identity
 * cannot be made up again; so it is written before anything that depends on it.
 */
export interface ResourceRecord {
  /** Of the provider: `aws_vpc`. */
  readonly type: string
  /** Which program wrote it, for people. */
  readonly provider: string
  /** Was the provider configured by a ProviderConfig? Unknown in records from before this was asked. */
  readonly configured?: boolean | undefined
  /** Undefined: nothing is known to exist. */
  readonly state?: StoredState | undefined
  /** The name under which people know it. */
  readonly externalName?: string | undefined
  readonly createdAt?: number | undefined
  /** What was only made in part, and why. */
  readonly tainted?: string | undefined
  /** Written before a change is sent. Without anybody at work on it: it was cut off, and nobody knows what it did. */
  readonly operation?: Operation | undefined
  /** What there was is gone, or gave way: its name leads nowhere. */
  readonly gone?: boolean | undefined
}

export type OperationKind = 'create' | 'update' | 'delete'

export interface Operation {
  readonly kind: OperationKind
  readonly startedAt: number
  /** Tells it from all others. */
  readonly id?: string | undefined
  /** Of a create: the attempt that it belongs to, as the object's annotation has it. With a later one there, somebody settled this one. */
  readonly pendingAt?: number | undefined
  /** Of a create whose name is known before: what it will be found by. */
  readonly lookFor?: Foreseen | undefined
}

/** A name that something will have. */
export interface Foreseen {
  /** As `importKey` reads it. */
  readonly name: string
  /** The provider itself said so: where nothing has that name, nothing was made. */
  readonly certain: boolean
  /** Was there something before? */
  readonly before: 'absent' | 'present' | 'unknown'
}

/** What fits into a Secret with room to spare; larger states are packed. */
const PACKED_FROM = 100_000
const MOST_BYTES = 1_000_000

/** A state that no Secret can hold. The thing would be made, and its handle lost. */
export class RecordTooLargeError extends Error {
  constructor(bytes: number) {
    super(`the state of the resource takes ${bytes} bytes, and at most ${MOST_BYTES} can be kept: reduce what it contains`)
    this.name = 'RecordTooLargeError'
  }
}

/** Before anything is made: will its state fit? Throws RecordTooLargeError. */
export function checkSize(planned: { readonly state: Uint8Array; readonly private: Uint8Array }): void {
  const { length } = planned.state
  const size = (length > PACKED_FROM ? gzipSync(planned.state).length : length) + planned.private.length
  if (size > MOST_BYTES) throw new RecordTooLargeError(size)
}

/** The data of the Secret. Throws RecordTooLargeError. */
export function recordData(record: ResourceRecord): Record<string, string> {
  const data = recordParts(record)
  const size = Object.values(data).reduce((sum, { length }) => sum + Math.floor((length * 3) / 4), 0)
  if (size > MOST_BYTES) throw new RecordTooLargeError(size)
  return data
}

/** Of any size. `readRecord` reads it again. */
export function recordParts({ state, ...rest }: ResourceRecord): Record<string, string> {
  const about = { ...rest, ...(state !== undefined && { version: state.version, identityVersion: state.identity?.version }) }
  const parts: Record<string, Uint8Array> = { record: Buffer.from(JSON.stringify(about)) }
  if (state !== undefined) {
    const json = Buffer.from(state.json)
    if (json.length > PACKED_FROM) parts['state.gz'] = gzipSync(json)
    else parts['state'] = json
    parts['private'] = state.private
    if (state.identity !== undefined) parts['identity'] = Buffer.from(state.identity.json)
  }
  return Object.fromEntries(Object.entries(parts).map(([key, bytes]) => [key, toBase64(bytes)]))
}

/** Throws where the Secret is none of ours. */
export function readRecord(data: Readonly<Record<string, string>>): ResourceRecord {
  const parts = fromSecretData(data)
  const part = (key: string): Uint8Array | undefined => getOwn(parts, key)
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString()
  const about = part('record')
  if (about === undefined) throw new Error('the Secret that should contain the state contains none')
  const { version, identityVersion, ...rest } = JSON.parse(text(about)) as ResourceRecord & { version?: number; identityVersion?: number }
  const [plain, packed, identity] = [part('state'), part('state.gz'), part('identity')]
  const json =
    packed !== undefined ? text(gunzipSync(packed, { maxOutputLength: 64 * MOST_BYTES })) : plain === undefined ? undefined : text(plain)
  if (json === undefined || version === undefined) return rest
  return {
    ...rest,
    state: {
      version,
      json,
      private: part('private') ?? new Uint8Array(),
      identity: identity === undefined || identityVersion === undefined ? undefined : { version: identityVersion, json: text(identity) },
    },
  }
}
