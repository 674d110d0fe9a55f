/** Starts a program that says what it has open, by what the first argument names. */
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { spawnAlone } from './spawn-alone.ts'

const list = ['-c', 'ls -l /proc/self/fd; echo told >&5']
const stdio: ('ignore' | 'pipe')[] = ['ignore', 'pipe', 'ignore', 'ignore', 'ignore', 'pipe']
const child = process.argv[2] === 'spawnAlone' ? spawnAlone('/bin/sh', list, { stdio }) : spawn('/bin/sh', list, { stdio })
child.stdout?.pipe(process.stdout)
// Node's types know of five places at most.
const [, , , , , told] = child.stdio as readonly unknown[] as readonly (Readable | null)[]
told?.pipe(process.stdout)
