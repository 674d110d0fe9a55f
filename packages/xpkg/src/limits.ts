/** What reading a package may cost. A package beyond them is refused before it is unpacked. */
export interface Limits {
  /** Bytes of one manifest, index or image configuration. */
  readonly manifestBytes: number
  /** Bytes of one blob, as transferred. */
  readonly blobBytes: number
  /** Bytes of an .xpkg file, or of one blob of an OCI layout, on disk: they may hold a program beside the package. */
  readonly imageBytes: number
  /** Bytes of everything, unpacked. */
  readonly unpackedBytes: number
  /** Files in one archive or folder. */
  readonly files: number
  /** Documents in package.yaml. */
  readonly documents: number
}

export const MiB: number = 1024 * 1024

/** Room for the largest published providers (some hundred kinds a package, tens of megabytes of YAML), several times over. */
export const DEFAULT_LIMITS: Limits = {
  manifestBytes: 4 * MiB,
  blobBytes: 128 * MiB,
  imageBytes: 1024 * MiB,
  unpackedBytes: 256 * MiB,
  files: 10_000,
  documents: 20_000,
}

/** What the files of a program may take. */
export interface ProgramLimits {
  /** Bytes of one layer, as transferred. */
  readonly layerBytes: number
  /** Bytes of all files. */
  readonly bytes: number
  /** Files, folders and links. */
  readonly files: number
}

/** Room for the largest published images of providers, and for those with a whole system inside. */
export const PROGRAM_LIMITS: ProgramLimits = { layerBytes: 1024 * MiB, bytes: 4096 * MiB, files: 250_000 }
