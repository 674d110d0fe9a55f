/** A write that can never succeed, whatever the state of the store: the caller has to change it. Do not retry. */
export class InvalidWriteError extends Error {
  readonly code: 'InvalidKey' | 'KeyTooLong' | 'ValueTooLarge' | 'NothingToDelete'
  constructor(code: InvalidWriteError['code'], message: string) {
    super(message)
    this.name = 'InvalidWriteError'
    this.code = code
  }
}

/**
 * The disk refused a commit; nothing of the write took effect and nothing that was durable is lost. `DiskFull` and `Failed` (any other
 * error): the store goes on, and the write can be tried again. `Broken`: it cannot go on, and refuses every further write with
 * StorageUnavailableError. `Superseded`: the same, because the data directory is another process's by now.
 */
export class WriteFailedError extends Error {
  readonly code: 'DiskFull' | 'Failed' | 'Broken' | 'Superseded'
  constructor(code: WriteFailedError['code'], cause: unknown) {
    super(`${WRITE_FAILED[code]} (${causeText(cause)})`, { cause })
    this.name = 'WriteFailedError'
    this.code = code
  }
}

const WRITE_FAILED = {
  DiskFull: 'the disk is full, nothing was written: free some space and try again',
  Failed: 'writing to the data directory failed, nothing was written: check the disk and try again',
  Broken: 'writing to the data directory failed, and the storage cannot continue: check the disk, then restart',
  Superseded: 'nothing was acknowledged: ask the process that serves this data now',
}

/**
 * The store does not answer any more. `Closed`: it is closed. `Broken`: it takes no writes since a commit failed (reads go on).
 * `Superseded`: it takes no writes since another process has taken over the data directory.
 * `IteratorExpired`: only this iterator, which was held open for too long.
 */
export class StorageUnavailableError extends Error {
  readonly code: 'Closed' | 'Broken' | 'Superseded' | 'IteratorExpired'
  constructor(code: StorageUnavailableError['code'], cause?: unknown) {
    super(cause === undefined ? UNAVAILABLE[code] : `${UNAVAILABLE[code]} (${causeText(cause)})`, { cause })
    this.name = 'StorageUnavailableError'
    this.code = code
  }
}

const UNAVAILABLE = {
  Closed: 'the storage is closed',
  Broken: 'the storage takes no writes since a commit failed: check the disk, then restart',
  Superseded: 'another process has taken over the data directory: ask that one',
  IteratorExpired: 'the iterator was held open for too long: start again',
}

/** A data directory that cannot be used as it is. Whatever the code, nothing in it was changed. */
export class DataDirectoryError extends Error {
  readonly code: 'NewerFormat' | 'Damaged' | 'Locked' | 'NotOurs' | 'Missing'
  readonly directory: string
  constructor(code: DataDirectoryError['code'], directory: string, message: string, cause?: unknown) {
    super(`data directory ${directory}: ${message}`, { cause })
    this.name = 'DataDirectoryError'
    this.code = code
    this.directory = directory
  }
}

/** A file given to `restoreBackup` that is no usable backup, or a place that cannot take one. */
export class BackupError extends Error {
  readonly code: 'Unreadable' | 'TargetNotEmpty' | 'Unsupported' | 'Failed'
  constructor(code: BackupError['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'BackupError'
    this.code = code
  }
}

export function causeText(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
