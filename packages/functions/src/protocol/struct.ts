/**
 * What a google.protobuf.Struct holds, as plain JSON. Its only numbers are doubles, so an integer beyond 2^53 has lost digits
 * before a function sees it. Null is a value and differs from an absent key. Read-only and shared: nobody who is handed one
 * changes it.
 */
export type StructValue = null | boolean | number | string | readonly StructValue[] | Struct

export interface Struct {
  readonly [key: string]: StructValue
}
