/** What reading a package may cost. A package beyond them is refused before it is unpacked. */
export interface Limits {
  /** Bytes of one manifest, index or image configuration. */
  readonly manifestBytes: number
  /** Bytes of one blob, as transferred. */
  readonly blobBytes: number
  /** Bytes of everything, unpacked. */
  readonly unpackedBytes: number
  /** Files in one archive or folder. */
  readonly files: number
  /** Documents in package.yaml. */
  readonly documents: number
}

const MiB = 1024 * 1024

/** Room for the largest published providers (some hundred kinds a package, tens of megabytes of YAML), several times over. */
export const DEFAULT_LIMITS: Limits = {
  manifestBytes: 4 * MiB,
  blobBytes: 128 * MiB,
  unpackedBytes: 256 * MiB,
  files: 10_000,
  documents: 20_000,
}
