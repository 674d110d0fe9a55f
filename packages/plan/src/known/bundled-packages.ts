import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { KubeObject } from '@weft/api'
import { parseAllDocuments } from 'yaml'
import type { PackagedObjects } from './packaged-objects.ts'

/**
 * The packages of bundled providers, for commands that need some of what they hold and no provider. Beside the bundle they are one file of JSON. In the
 * repository a file is parsed when somebody asks for a word that it has: parsing all of them takes longer than a quick command may.
 */
export function openBundledPackages(): PackagedObjects {
  const bundled = fileURLToPath(new URL('./packages.json', import.meta.url))
  return existsSync(bundled) ? fromBundle(bundled) : fromSources(fileURLToPath(new URL('../../../../providers/', import.meta.url)))
}

function fromBundle(path: string): PackagedObjects {
  let objects: readonly KubeObject[] | undefined
  const all = (): readonly KubeObject[] => (objects ??= JSON.parse(readFileSync(path, 'utf8')) as KubeObject[])
  return { mentioning: all, all }
}

function fromSources(providers: string): PackagedObjects {
  let files: readonly PackageFile[] | undefined
  const all = (): readonly PackageFile[] => (files ??= packageDirectories(providers).flatMap(filesOf))
  return {
    mentioning: (word) => all().flatMap((file) => (mentions(file.text, word) ? file.objects() : [])),
    all: () => all().flatMap((file) => file.objects()),
  }
}

interface PackageFile {
  readonly text: string
  objects(): readonly KubeObject[]
}

const METADATA_FILE = 'crossplane.yaml'

const packageDirectories = (providers: string): readonly string[] =>
  (existsSync(providers) ? readdirSync(providers).toSorted() : [])
    .map((name) => `${providers}${name}/package/`)
    .filter((directory) => existsSync(`${directory}${METADATA_FILE}`))

const filesOf = (directory: string): readonly PackageFile[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/.test(file) && file !== METADATA_FILE)
    .toSorted()
    .map((file) => packageFile(readFileSync(`${directory}${file}`, 'utf8')))

function packageFile(text: string): PackageFile {
  let objects: readonly KubeObject[] | undefined
  return { text, objects: () => (objects ??= parseAllDocuments(text).flatMap((document) => (document.toJS() as KubeObject | null) ?? [])) }
}

function mentions(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return true
  return false
}

const isLetter = (character: string | undefined): boolean => character !== undefined && /[A-Za-z0-9]/.test(character)
