import type { KubeObject } from '@weft/api'

/** Objects by where they are kept. */
export type Snapshot = ReadonlyMap<string, KubeObject>
