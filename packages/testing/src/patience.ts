import { kubernetesAccess } from './kubernetes-access.ts'

/**
 * How long is waited for something that happens at once when nothing else is in the way. A machine with ten times more to do than it can is still waited for;
 * only a failure takes that long.
 */
export const PATIENCE_MS = 60_000

/**
 * How long a test waits for what should happen. A real server takes its time: its garbage collector looks for new kinds
 * every half minute.
 */
export const patienceMs = (millis: number): number => (kubernetesAccess() === undefined ? millis : Math.max(millis * 3, 100_000))
