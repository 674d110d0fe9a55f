import { kubernetesAccess } from './kubernetes-access.ts'

/**
 * How long a test waits for what should happen. A real server takes its time: its garbage collector looks for new kinds
 * every half minute.
 */
export const patienceMs = (millis: number): number => (kubernetesAccess() === undefined ? millis : Math.max(millis * 3, 100_000))
