import { existsSync, watch } from 'node:fs'
import { resolve, sep } from 'node:path'
import { CommandFailure, report } from '../../report.ts'
import { untilSignal } from '../../until-signal.ts'
import { install, type InstallOptions } from './install.ts'

export type DevOptions = Pick<InstallOptions, 'namespace' | 'kubeconfig' | 'context' | 'dataDir' | 'name' | 'timeout'>

/** An editor writes several files at a time. */
const SETTLE_MS = 100

/** Installs a package from its folder, and again whenever a file of it changes, until somebody ends it. What is wrong is told, and what was right before stays. */
export async function dev(directory: string, options: DevOptions): Promise<number> {
  if (!existsSync(directory))
    throw new CommandFailure(`there is no directory ${directory}; \`weft package init provider ${directory}\` creates one`)
  const changes = changesIn(resolve(directory))
  const ended = untilSignal().then(() => 'ended' as const)
  try {
    for (;;) {
      await install(directory, { ...options, wait: true }).catch(report)
      process.stdout.write(`watching ${directory} for changes; Ctrl-C ends it, and the package stays installed\n`)
      if ((await Promise.race([changes.next(), ended])) === 'ended') return 0
    }
  } finally {
    changes.close()
  }
}

/** Tells of changes of what its author writes; not of what is made from it. */
function changesIn(folder: string): { next(): Promise<void>; close(): void } {
  let isChanged = false
  let tell: (() => void) | undefined
  let timer: NodeJS.Timeout | undefined
  const watcher = watch(folder, { recursive: true }, (_event, file) => {
    if (file === null || isMade(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      isChanged = true
      tell?.()
    }, SETTLE_MS)
  })
  return {
    async next() {
      if (!isChanged) await new Promise<void>((resolve) => (tell = resolve))
      isChanged = false
    },
    close() {
      clearTimeout(timer)
      watcher.close()
    },
  }
}

const isMade = (file: string): boolean =>
  file.endsWith('provider.mjs') || file.endsWith('.xpkg') || file.split(sep).some((part) => part === 'node_modules' || part.startsWith('.'))
