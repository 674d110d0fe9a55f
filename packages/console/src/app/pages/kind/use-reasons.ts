import { traceTree } from '@weft/composition'
import { useEffect } from 'react'
import { refOf } from '../../../world/state.ts'
import { find } from '../../../world/world.ts'
import { useConsole, useWorld } from '../../session/console.tsx'
import type { Row } from './object-list.ts'

/** Each takes a watch for every object below it; the others say of themselves why they are not ready. */
const MOST = 8

/** Has what is below those rows watched that are not ready: the reason is often there. */
export function useReasons(rows: readonly Row[]): void {
  const world = useWorld()
  const { watchObjects } = useConsole()
  const troubled = rows.filter(({ state }) => state !== undefined && state !== 'ready').slice(0, MOST)
  useEffect(() => {
    const unknown = troubled.flatMap(({ object }) => traceTree(refOf(object), (ref) => find(world, ref)).unknown)
    watchObjects(unknown.slice(0, MOST))
  })
}
