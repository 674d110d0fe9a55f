import { PAUSED } from '@weft/api'
import type { Command } from 'commander'
import type { Run } from '../run.ts'
import { annotateCommand } from './annotate/annotate-command.ts'

export const pauseCommand = (run: Run): Command =>
  annotateCommand(run, {
    name: 'pause',
    description:
      'Leave objects as they are: nothing is made, changed or removed for them until `weft resume`. What was made for them goes on, unless --tree is given.',
    tree: 'pause what was made for them, too',
    example: 'weft pause postgresqlinstance db --tree',
    mark: { annotation: PAUSED, value: () => 'true', done: 'paused', already: 'is paused already' },
  })
