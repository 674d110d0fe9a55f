/** How a subcommand runs: its answer is the exit code. */
export type Run = (action: () => Promise<number>) => Promise<void>
