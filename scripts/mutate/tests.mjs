// Which tests a file answers to: those of its folder and below, and those of its package that import it by name.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { root } from '../setup.mjs'

const SOURCE = /(?<!\.test|\.fixture|\.bench|\.d)\.ts$/
const TEST = /(?<!\.(kubernetes|clients|registry|browser|attack|differential))\.test\.ts$/
const IMPORT = /(?:from|import\()\s*'(\.[^']+)'/g

/** @param {string} path a file or a folder @returns {string[]} absolute */
export function sourcesBelow(path) {
  return below(path).filter((file) => SOURCE.test(file) && !file.includes('/generated/'))
}

export function testsOf(path, sources) {
  const folder = statSync(path).isDirectory() ? path : dirname(path)
  const wanted = new Set(sources)
  const importing = (test) => [...readFileSync(test, 'utf8').matchAll(IMPORT)].some(([, to]) => wanted.has(resolve(dirname(test), to)))
  return [...new Set([...testsBelow(folder), ...testsBelow(packageOf(folder)).filter(importing)])]
}

/** Not those of other packages: they see its surface alone, and some of them kill control planes for minutes. */
const packageOf = (folder) => join(root, ...relative(root, folder).split(sep).slice(0, 2))

export const testsBelow = (path) => below(path).filter((file) => TEST.test(file))

function below(path) {
  if (!existsSync(path)) throw new Error(`there is no ${path}`)
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/\/(node_modules|dist|recorded)\//.test(file))
    .sort()
}
