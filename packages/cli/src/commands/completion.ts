import { Command } from 'commander'
import type { Run } from '../run.ts'
import { CommandFailure } from '../report.ts'

export const completionCommand = (run: Run): Command =>
  new Command('completion')
    .description('Print a script that completes commands, options, kinds and names of objects in a shell.')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText('after', '\nExample:\n  source <(weft completion bash)\n  weft completion fish > ~/.config/fish/completions/weft.fish')
    .action((shell: string) =>
      run(async () => {
        const { COMPLETION_SCRIPTS } = await import('../completion/scripts.ts')
        const script = COMPLETION_SCRIPTS[shell]
        if (script === undefined) throw new CommandFailure(`there is no completion for ${shell}: use bash, zsh or fish`)
        process.stdout.write(script)
        return 0
      }),
    )
