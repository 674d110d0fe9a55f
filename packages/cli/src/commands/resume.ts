import { PAUSED } from '@weft/api'
import type { Command } from 'commander'
import type { Run } from '../run.ts'
import { annotateCommand } from './annotate/annotate-command.ts'

export const resumeCommand = (run: Run): Command =>
  annotateCommand(run, {
    name: 'resume',
    description: 'Reconcile paused objects again.',
    tree: 'resume what was created for them, too',
    example: 'weft resume postgresqlinstance db --tree',
    mark: { annotation: PAUSED, value: () => null, done: 'resumed', already: 'is not paused' },
  })
