// The few files of Debian that Node and PostgreSQL need of a system, unpacked from its packages: no engine, no image of somebody else.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The C and C++ libraries, the locale C.UTF-8, and a shell, by which PostgreSQL starts its own programs. */
const PACKAGES = ['libc6', 'libc-bin', 'libgcc-s1', 'libstdc++6', 'dash']
/** Of these packages, nothing else is read. Licences are in usr/share/doc. */
const KEPT =
  /^(usr\/lib\/locale\/C\.utf8\/|usr\/lib(64)?\/(x86_64-linux-gnu\/(lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|nss_\w+|resolv|util)[.-]|ld-linux|gconv\/gconv-modules$)|ld-linux)|usr\/bin\/(da)?sh$|usr\/share\/doc\/.*copyright$)/

/** Whom the image runs as. */
export const ACCOUNT = 65_532

/** Lays out the folder of a system in which `sh`, Node and PostgreSQL run. */
export async function layBaseSystem(folder) {
  const archives = `${folder}.packages`
  const all = `${folder}.all`
  await mkdir(archives, { recursive: true })
  await mkdir(all, { recursive: true })
  try {
    await run('apt-get', ['download', '-qq', ...PACKAGES], { cwd: archives }).catch(async (error) => {
      // The list of packages may never have been fetched on this machine, or be too old; only root can fetch it.
      if (process.getuid?.() !== 0) throw error
      await run('apt-get', ['update', '-qq'])
      await run('apt-get', ['download', '-qq', ...PACKAGES], { cwd: archives })
    })
    for (const archive of await readdir(archives)) await run('dpkg-deb', ['-x', join(archives, archive), all])
    await mergeUsr(all)
    for (const entry of await readdir(all, { recursive: true, withFileTypes: true })) {
      const source = join(entry.parentPath, entry.name)
      const path = source.slice(all.length + 1)
      if (!entry.isDirectory() && KEPT.test(path)) await cp(source, join(folder, path), { verbatimSymlinks: true, recursive: true })
    }
  } finally {
    for (const each of [archives, all]) await rm(each, { recursive: true, force: true })
  }
  for (const name of ['bin', 'lib', 'lib64']) await symlink(`usr/${name}`, join(folder, name))
  if (!existsSync(join(folder, 'usr', 'bin', 'sh'))) await symlink('dash', join(folder, 'usr', 'bin', 'sh'))
  await mkdir(join(folder, 'etc'))
  await writeFile(join(folder, 'etc', 'passwd'), `root:x:0:0:root:/:/bin/sh\nweft:x:${ACCOUNT}:${ACCOUNT}:weft:/data:/bin/sh\n`)
  await writeFile(join(folder, 'etc', 'group'), `root:x:0:\nweft:x:${ACCOUNT}:\n`)
  await writeFile(join(folder, 'etc', 'nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files dns\n')
  for (const name of ['dev', 'proc', 'sys', 'data', 'tmp']) await mkdir(join(folder, name))
  await chmod(join(folder, 'tmp'), 0o1777)
}

/** Some releases of Debian have /lib and /bin beside /usr still. */
async function mergeUsr(folder) {
  for (const name of ['bin', 'lib', 'lib64']) {
    if (!existsSync(join(folder, name))) continue
    await cp(join(folder, name), join(folder, 'usr', name), { recursive: true, verbatimSymlinks: true })
    await rm(join(folder, name), { recursive: true })
  }
  const loader = join(folder, 'usr', 'lib64', 'ld-linux-x86-64.so.2')
  await rm(loader, { force: true })
  await mkdir(join(folder, 'usr', 'lib64'), { recursive: true })
  await symlink('../lib/x86_64-linux-gnu/ld-linux-x86-64.so.2', loader)
}
