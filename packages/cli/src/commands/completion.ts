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

/** What the scripts call: candidates on lines, what they are after a tab. Never says anything else. */
export const completeCommand = (run: Run): Command =>
  new Command('__complete')
    .description('Answer what may come next; called by the scripts of `weft completion`.')
    .argument('[words...]', 'the words after weft, up to the cursor')
    .addHelpText('after', '\nExample:\n  weft __complete -- get sec')
    .action((words: string[]) =>
      run(async () => {
        try {
          const [{ complete }, { askingServer }, { COMMANDS }] = await Promise.all([
            import('../completion/complete.ts'),
            import('../completion/server-words.ts'),
            import('../commands.ts'),
          ])
          const answer = await complete(words, {
            commands: COMMANDS.filter(({ isHidden }) => isHidden !== true),
            server: (options) => Promise.resolve(askingServer(options)),
          })
          process.stdout.write(answer === 'files' ? ':files\n' : answer.map(({ value, about }) => `${value}\t${about}\n`).join(''))
        } catch {
          // A shell that waits for a completion has no use for a reason.
        }
        return 0
      }),
    )
