/** Starts programs that are not ours, with nothing of what we hold open. */
export { spawnAlone } from './spawn-alone.ts'
