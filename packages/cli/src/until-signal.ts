/** Resolves when somebody asks the process to end. A second signal ends the process at once. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      resolve(signal)
      process.once('SIGINT', () => process.exit(130))
      process.once('SIGTERM', () => process.exit(143))
    }
    process.once('SIGINT', onSignal)
    process.once('SIGTERM', onSignal)
  })
}
