import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { compiledCode } from './compiled-code.ts'

type Main = (argv: readonly string[]) => Promise<number>

/** What scripts/build/quick-commands.mjs makes: a function that is given all that the command does not have inside. */
type Quick = (require: NodeJS.Require, load: (path: string) => Promise<unknown>) => { readonly main: Main }

/**
 * The `main` of a command that people wait for, from the one file that has nothing but this command; undefined where there is none. V8's code is kept for the next
 * time: to compile the file again takes as long as all that the command does for itself.
 */
export function quickMain(dist: string, command: string | undefined, cache?: string): Main | undefined {
  const file = join(dist, `quick-${command?.replaceAll(/[^a-z-]/g, '_')}.cjs`)
  if (command === undefined || !existsSync(file)) return undefined
  const source = readFileSync(file, 'utf8')
  const compiled = compiledCode(`quick-${command}`, source, cache)
  const cachedData = compiled.recall()
  const script = new Script(source, { filename: file, ...(cachedData !== undefined && { cachedData }) })
  const { main } = (script.runInThisContext() as Quick)(createRequire(file), (path) => import(pathToFileURL(join(dist, path)).href))
  // Only now V8 has compiled what the command really uses.
  return async (argv) => {
    const code = await main(argv)
    if (code === 0 && script.cachedDataRejected !== false) compiled.keep(() => script.createCachedData())
    return code
  }
}
