import { RECONCILE_REQUESTED_AT } from '@weft/api'
import type { Command } from 'commander'
import type { Run } from '../run.ts'
import { annotateCommand } from './annotate/annotate-command.ts'

export const reconcileCommand = (run: Run): Command =>
  annotateCommand(run, {
    name: 'reconcile',
    description: 'Reconcile objects now rather than at their next turn, for example after an external resource was changed by hand.',
    tree: 'reconcile what was created for them, too',
    example: 'weft reconcile postgresqlinstance db --tree',
    mark: { annotation: RECONCILE_REQUESTED_AT, value: () => new Date().toISOString(), done: 'will be looked at now' },
  })
