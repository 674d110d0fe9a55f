// Pages that are not in the manual, for those who work on Weft: their links lead somewhere, too.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const LINK = /\]\(([^)#\s]*)(?:#[^)\s]*)?\)/g
const CODE = /```[\s\S]*?```|`[^`\n]*`/g

/**
 * @param {string} root of the repository
 * @param {ReadonlySet<string>} known pages that have been looked at already
 * @returns {{files: number, problems: string[]}}
 */
export function checkLinks(root, known) {
  const pages = [
    ...readdirSync(root).filter((file) => file.endsWith('.md')),
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => posix.join('docs', file)),
  ].filter((page) => !known.has(page))
  const problems = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8').replaceAll(CODE, '')
    return [...text.matchAll(LINK)]
      .map(([, target]) => target)
      .filter((target) => target !== '' && !/^([a-z]+:|\/)/.test(target))
      .map((target) => posix.normalize(posix.join(posix.dirname(page), target)))
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => `${page} links to ${target}, which does not exist`)
  })
  return { files: pages.length, problems }
}
