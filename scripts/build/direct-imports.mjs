// A bundler splits by file: whoever imports one name from the index of a package is taken to need all that the index names, and `weft get` loads the CEL
// compiler. This plug-in lets each import of ours name the file that declares what is imported, so that a command loads what it uses.
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

const IMPORT = /^import \{([^}]*)\} from '(@weft\/[a-z-]+)'$/gm
/** Comments and imports, as far as nothing else comes: what looks like an import further down is text that somebody else is to compile. */
const HEAD = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/|import [^'"`;]*'[^'\n]*')*/
const REEXPORT = /^export (type )?(\*|\{([^}]*)\}) from '([^']+)'$/gm
const DECLARED = /^export (?:async )?(?:abstract )?(?:function\*?|class|const|let|enum) ([A-Za-z_$][\w$]*)/gm
const LISTED = /^export \{([^}]*)\}$/gm

/**
 * `whole`: packages of ours that are imported as they are, by their index.
 * @returns {import('esbuild').Plugin}
 */
export function directImports(root, whole = []) {
  const packages = join(root, 'packages')
  const indexes = new Map()
  const declaredIn = (name) => {
    if (whole.includes(name)) return new Map()
    const index = join(packages, name.slice('@weft/'.length), 'src', 'index.ts')
    if (!indexes.has(name)) indexes.set(name, existsSync(index) ? exportsOf(index, declaredIn) : new Map())
    return indexes.get(name)
  }
  return {
    name: 'direct imports',
    setup(build) {
      build.onLoad({ filter: /\/src\/.*\.tsx?$/ }, async ({ path }) => {
        if (!path.startsWith(packages)) return undefined
        const text = await readFile(path, 'utf8')
        const [head] = HEAD.exec(text)
        const imports = head.replace(IMPORT, (statement, names, from) => direct(statement, specifiers(names), from, declaredIn(from)))
        const contents = imports + text.slice(head.length)
        return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
      })
    },
  }
}

/** The same import, by file; as many lines as before, so that stack traces stay true. */
function direct(statement, names, from, declaredIn) {
  const byFile = new Map()
  for (const { imported, local } of names) {
    const { file, name } = declaredIn.get(imported) ?? { file: from, name: imported }
    byFile.set(file, [...(byFile.get(file) ?? []), `${name} as ${local}`])
  }
  const imports = [...byFile].map(([file, list]) => `import { ${list.join(', ')} } from '${file}'`).join('; ')
  return imports + '\n'.repeat(statement.split('\n').length - 1)
}

/** Each name that a file exports, with the file that declares it and what it is called there. */
function exportsOf(file, declaredInPackage) {
  const text = readFileSync(file, 'utf8')
  const found = new Map()
  for (const [, name] of text.matchAll(DECLARED)) found.set(name, { file, name })
  for (const [, names] of text.matchAll(LISTED))
    for (const { imported, local } of specifiers(names)) found.set(local, { file, name: imported, listed: true })
  for (const [, typeOnly, what, names, from] of text.matchAll(REEXPORT)) {
    if (typeOnly !== undefined) continue
    if (!from.startsWith('.') && !from.startsWith('@weft/')) continue
    const theirs = from.startsWith('.') ? exportsOf(resolve(dirname(file), from), declaredInPackage) : declaredInPackage(from)
    if (what === '*') for (const [name, place] of theirs) found.set(name, place)
    else for (const { imported, local } of specifiers(names)) if (theirs.has(imported)) found.set(local, theirs.get(imported))
  }
  // What is imported and exported again under a list keeps the exported name: it is the file's own.
  for (const [name, place] of found) if (place.listed) found.set(name, { file: place.file, name })
  return found
}

/** `a, type B, c as d` without the types, which leave nothing behind. */
function specifiers(list) {
  return list
    .split(',')
    .map((part) => part.replaceAll(/\/\/.*$/gm, '').trim())
    .filter((part) => part !== '' && !part.startsWith('type '))
    .map((part) => {
      const [imported, local = imported] = part.split(/\s+as\s+/)
      return { imported, local }
    })
}
