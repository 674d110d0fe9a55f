/** The one function that we use; the package has no types. */
declare module 'fs-native-extensions' {
  /** Locks a range of an open file for its open file description; false if somebody else has it. Length 0: to the end. */
  export function tryLock(fd: number, offset?: number, length?: number, options?: { readonly shared?: boolean }): boolean
}
