export * from './errors.ts'
export { checkKey, compareKeys, KEYSPACE_END, MAX_KEY_BYTES, MAX_VALUE_BYTES, prefixEnd } from './key.ts'
export { openMemoryStorage } from './memory/memory-storage.ts'
export * from './storage.ts'
