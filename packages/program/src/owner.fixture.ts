import { systemClock } from '@weft/client'
import { openProcessLog } from './process-log.ts'
import { ProgramProcess } from './program-process.ts'

// Starts a program that starts another, and waits to be killed: `owner.fixture.ts FOLDER [ROOT WORDS]`.
const [, , folder = '', root = folder, words = 'sleep 4711 & sleep 4711'] = process.argv
const made = new ProgramProcess({
  what: 'the program',
  folder,
  command: async () => ({
    file: '/bin/sh',
    args: ['-c', words],
    env: { PATH: '/usr/bin:/bin' },
    cwd: root,
    channel: false,
  }),
  log: openProcessLog(`${folder}/x.log`),
  clock: systemClock,
  random: () => 1,
  onChange: () => process.stdout.write(`${made.pid}\n`),
})
