import { PAUSED } from '@weft/api'
import type { Command } from 'commander'
import type { Run } from '../run.ts'
import { annotateCommand } from './annotate/annotate-command.ts'

export const pauseCommand = (run: Run): Command =>
  annotateCommand(run, {
    name: 'pause',
    description:
      'Stop reconciling objects: nothing is created, changed or removed for them until `weft resume`. What was created for them is still reconciled, unless --tree is given.',
    tree: 'pause what was created for them, too',
    example: 'weft pause postgresqlinstance db --tree',
    mark: { annotation: PAUSED, value: () => 'true', done: 'paused', already: 'is paused already' },
  })
