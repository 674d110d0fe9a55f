import { readFileSync } from 'node:fs'

const CLOCK_TICKS = 100

/** CPU seconds of a process since it began, all threads. */
export function cpuSecondsOf(pid: number): number {
  // The name of the command may hold anything but ends with the last parenthesis.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS
}
