import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** How the program in a root is started, as `weft package build` is told. */
export interface Root {
  readonly entrypoint: readonly string[]
  readonly env: readonly string[]
}

const LIBRARIES = 'usr/lib/image'
/** Of Python's own modules: what no program needs to run. */
const LEFT_OUT = new Set(['site-packages', 'dist-packages', 'test', 'tests', '__pycache__', 'idlelib', 'tkinter', 'ensurepip', 'lib2to3'])

/** Python with its modules, the kit and a function written with it, as a root of their own. */
export async function pythonRoot(root: string, { kit, program }: { kit: string; program: string }): Promise<Root> {
  const { stdout } = await run('python3', [
    '-c',
    'import json, os, sys, sysconfig as s; print(json.dumps([os.path.realpath(sys.executable), s.get_paths()["stdlib"], "python%d.%d" % sys.version_info[:2]]))',
  ])
  const [python, modules, version] = JSON.parse(stdout) as [string, string, string]
  await copy(python, join(root, 'usr/bin/python3'))
  await copy(modules, join(root, 'usr/lib', version), (path) => !LEFT_OUT.has(basename(path)) && !basename(path).startsWith('config-'))
  await copy(kit, join(root, 'app/kit'), (path) => basename(path) !== '__pycache__')
  await copy(program, join(root, 'app/main.py'))
  await bringLibraries(root, python)
  return {
    entrypoint: ['python3', '/app/main.py'],
    env: [
      'PATH=/usr/bin',
      'PYTHONHOME=/usr',
      'PYTHONPATH=/app/kit',
      'PYTHONDONTWRITEBYTECODE=1',
      'PYTHONUNBUFFERED=1',
      `LD_LIBRARY_PATH=/${LIBRARIES}`,
    ],
  }
}

/** Node, the kit and a function written with it, as a root of their own. */
export async function nodeRoot(root: string, { kit, program }: { kit: string; program: string }): Promise<Root> {
  await copy(process.execPath, join(root, 'usr/bin/node'))
  await copy(join(kit, 'node_modules'), join(root, 'app/node_modules'))
  await copy(program, join(root, 'app/main.mjs'))
  await bringLibraries(root, process.execPath)
  return { entrypoint: ['node', '/app/main.mjs'], env: ['PATH=/usr/bin', `LD_LIBRARY_PATH=/${LIBRARIES}`] }
}

async function copy(from: string, to: string, filter: (path: string) => boolean = () => true): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await cp(from, to, { recursive: true, filter })
}

/** What the program, and whatever it loads later, is linked with. The loader is where programs look for it, all others in one folder. */
async function bringLibraries(root: string, program: string): Promise<void> {
  const names = await readdir(root, { recursive: true })
  const objects = names.filter((name) => /\.so(\.|$)/.test(name)).map((name) => join(root, name))
  const { stdout } = await run('ldd', [program, ...objects], { maxBuffer: 2 ** 26 }).catch((error: { stdout: string }) => error)
  const found = new Set([...stdout.matchAll(/(?:=> )?(\/[^\s]+) \(0x/g)].map((match) => match[1] as string))
  for (const library of found) {
    if (library.startsWith(root)) continue
    const isLoader = basename(library).startsWith('ld-')
    await copy(await realpath(library), join(root, isLoader ? library : `${LIBRARIES}/${basename(library)}`))
  }
}
