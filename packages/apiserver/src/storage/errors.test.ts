import { describe, expect, it } from 'vitest'
import { BackupError, causeText, DataDirectoryError, InvalidWriteError, StorageUnavailableError, WriteFailedError } from './errors.ts'

describe('an error of the storage', () => {
  const cause = new Error('no space left on device')

  it('has its name, its code and its cause', () => {
    expect(new InvalidWriteError('KeyTooLong', 'too long')).toMatchObject({
      name: 'InvalidWriteError',
      code: 'KeyTooLong',
      message: 'too long',
    })
    expect(new DataDirectoryError('Damaged', '/data', 'it is damaged', cause)).toMatchObject({
      name: 'DataDirectoryError',
      code: 'Damaged',
      directory: '/data',
      message: 'data directory /data: it is damaged',
      cause,
    })
    expect(new BackupError('Failed', 'it failed', cause)).toMatchObject({
      name: 'BackupError',
      code: 'Failed',
      message: 'it failed',
      cause,
    })
  })

  it.each(['DiskFull', 'Failed', 'Broken', 'Superseded'] as const)('of a write says what happened: %s', (code) => {
    const error = new WriteFailedError(code, cause)
    expect(error).toMatchObject({ name: 'WriteFailedError', code, cause })
    expect(error.message).toMatch(/\S \(no space left on device\)$/)
  })

  it.each(['Closed', 'Broken', 'Superseded', 'IteratorExpired'] as const)('of a storage that does not answer says why: %s', (code) => {
    expect(new StorageUnavailableError(code)).toMatchObject({ name: 'StorageUnavailableError', code })
    expect(new StorageUnavailableError(code).message).not.toMatch(/\(|undefined/)
    const error = new StorageUnavailableError(code, cause)
    expect(error.cause).toBe(cause)
    expect(error.message).toMatch(/\S \(no space left on device\)$/)
  })

  it('tells of causes that are no errors, too', () => {
    expect([causeText(cause), causeText('gone'), causeText(5)]).toEqual(['no space left on device', 'gone', '5'])
  })
})
