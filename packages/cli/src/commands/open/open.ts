import { loadKubeconfig } from '@weft/client'
import { findKubeconfig, upCommandFor } from '../../cluster/index.ts'
import { readConsoleFile } from '../../console/console-file.ts'
import { requestLink } from '../../console/request-link.ts'
import { CommandFailure } from '../../report.ts'
import { openBrowser } from './open-browser.ts'

export interface OpenOptions {
  readonly dataDir?: string
  readonly print?: boolean
}

/** Gets a new link from the console that runs, and shows it to the browser. */
export async function open({ dataDir: named, print = false }: OpenOptions): Promise<number> {
  const location = findKubeconfig(named === undefined ? {} : { dataDir: named })
  const { dataDir } = location
  if (dataDir === undefined)
    throw new CommandFailure(
      `${location.paths.join(', ')} is not of a \`weft up\` on this machine: name its directory with --data-dir, or serve a console for that server with \`weft console\``,
    )
  const running = await readConsoleFile(dataDir)
  if (running === undefined)
    throw new CommandFailure(
      `the control plane of ${dataDir} serves no console now: start it with \`${upCommandFor(dataDir)}\` (without --no-console), or serve one with \`weft console\``,
    )
  const { ca } = await loadKubeconfig({ paths: location.paths })
  const link = await requestLink(running, ca)
  if (link === undefined)
    throw new CommandFailure(`the console of ${dataDir} does not answer at ${running.address}: start it with \`${upCommandFor(dataDir)}\``)
  if (!print && (await openBrowser(link)))
    process.stdout.write(`opened ${running.address} in the browser, signed in as the administrator\n`)
  else process.stdout.write(print ? `${link}\n` : `Open in a browser (once, within 15 minutes):  ${link}\n`)
  return 0
}
