import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { CommandFailure } from '../report.ts'
import type { Manifest, ManifestProblem, ParsedManifests } from './parse-manifests.ts'

export interface ReadOptions {
  /** Go into the directories of directories, too. */
  readonly recursive?: boolean | undefined
}

const EXTENSIONS = /\.(ya?ml|json)$/
const MAX_DOWNLOAD_MS = 30_000

/**
 * Objects of files, directories (those files that end in .yaml, .yml or .json, by name), `-` (standard input) and
 * http(s) addresses, in the order given. Everything is read before anything is answered: rejects with all that is wrong.
 */
export async function readManifests(paths: readonly string[], options: ReadOptions = {}): Promise<readonly Manifest[]> {
  const { manifests, problems } = await readEverything(paths, options)
  if (problems.length > 0) throw new CommandFailure(formatProblems(problems))
  if (manifests.length === 0) throw new CommandFailure(`there are no objects in ${paths.join(', ')}`)
  return manifests
}

/** The same, with what cannot be read beside what can. Rejects only when a file cannot be opened. */
export async function readEverything(paths: readonly string[], options: ReadOptions = {}): Promise<ParsedManifests> {
  // A command that was given no files need not load what parses them.
  const { parseManifests } = await import('./parse-manifests.ts')
  const manifests: Manifest[] = []
  const problems: ManifestProblem[] = []
  for (const path of paths.flatMap((each) => each.split(',')).filter((each) => each !== '')) {
    for (const { file, content } of await contentsOf(path, options)) {
      const parsed = parseManifests(content, file)
      manifests.push(...parsed.manifests)
      problems.push(...parsed.problems)
    }
  }
  return { manifests, problems }
}

export function formatProblems(problems: readonly ManifestProblem[]): string {
  const lines = problems.map(({ file, line, message }) => `${file === '-' ? 'standard input' : file}:${line}: ${message}`)
  return lines.length === 1 ? (lines[0] ?? '') : `${lines.length} documents cannot be read\n  ${lines.join('\n  ')}`
}

interface Content {
  readonly file: string
  readonly content: string
}

async function contentsOf(path: string, options: ReadOptions): Promise<readonly Content[]> {
  if (path === '-') return [{ file: '-', content: await text(process.stdin) }]
  if (/^https?:\/\//.test(path)) return [{ file: path, content: await download(path) }]
  const files = (await isDirectory(path)) ? await filesOf(path, options) : [path]
  if (files.length === 0)
    throw new CommandFailure(
      `${path} has no files that end in .yaml, .yml or .json${options.recursive ? '' : '; -R looks into its folders'}`,
    )
  return Promise.all(files.map(async (file) => ({ file, content: await readText(file) })))
}

async function filesOf(directory: string, options: ReadOptions): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  const files: string[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(directory, entry.name)
    const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && (await isDirectory(path)))
    if (!isFolder && EXTENSIONS.test(entry.name)) files.push(path)
    else if (entry.isDirectory() && options.recursive === true) files.push(...(await filesOf(path, options)))
  }
  return files
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

/** Rejects with what a person needs to know: that there is no such file, that they may not read it, that it is no text. */
export async function readText(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file))
  } catch (cause) {
    if (cause instanceof TypeError) throw new CommandFailure(`${file} is not text (UTF-8)`, { cause })
    throw unreadable(file, cause)
  }
}

function unreadable(path: string, cause: unknown): CommandFailure {
  const { code, message } = cause as NodeJS.ErrnoException
  const why = code === 'ENOENT' ? 'there is no such file' : code === 'EACCES' ? 'you may not read it' : message
  return new CommandFailure(`cannot read ${path}: ${why}`, { cause })
}

async function download(address: string): Promise<string> {
  let response: Response
  try {
    response = await fetch(address, { signal: AbortSignal.timeout(MAX_DOWNLOAD_MS) })
  } catch (cause) {
    throw new CommandFailure(
      `cannot fetch ${address}: ${((cause as Error).cause as Error | undefined)?.message ?? (cause as Error).message}`,
      { cause },
    )
  }
  if (!response.ok) throw new CommandFailure(`cannot fetch ${address}: it answered ${response.status}`)
  return response.text()
}
