/** Starts a program that says what it has open, by what the first argument names. */
import { spawn } from 'node:child_process'
import { spawnAlone } from './spawn-alone.ts'

const list = ['-c', 'ls -l /proc/self/fd; echo told >&5']
const stdio = ['ignore', 'pipe', 'ignore', 'ignore', 'ignore', 'pipe'] as const
const child = process.argv[2] === 'spawnAlone' ? spawnAlone('/bin/sh', list, { stdio }) : spawn('/bin/sh', list, { stdio: [...stdio] })
child.stdout?.pipe(process.stdout)
const told = child.stdio[5]
if (told !== null && told !== undefined && 'pipe' in told) told.pipe(process.stdout)
