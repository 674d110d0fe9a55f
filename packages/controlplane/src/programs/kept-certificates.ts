import { deepEqual } from '@weft/api'
import type { Give } from './image-program.ts'
import type { Release } from './program-slots.ts'
import { type ProgramTls, tlsFiles } from './tls-secrets.ts'

/** They are good for a year, and others when a third of that is left: this is often enough. */
const LOOK_MS = 3_600_000

export interface KeptCertificates {
  /** Where the program finds them: as it knows it. */
  readonly folder: string
  /** Makes what is to be there, when there is none or it ends soon. */
  readonly ensure: () => Promise<ProgramTls>
  /** Others are there from now on. Programs that watch their files go on with those. */
  readonly onRenewed?: () => void
  readonly onError: (error: unknown) => void
}

/** Gives a program certificates in a folder, and others before these end, for as long as it runs. Answers the folder, and what is in it first. */
export async function keepCertificates(
  give: Give,
  { folder, ensure, onRenewed, onError }: KeptCertificates,
  releases: Release[],
): Promise<{ readonly path: string; readonly tls: ProgramTls }> {
  const given = await give.folder(folder)
  const write = async (tls: ProgramTls): Promise<void> => {
    // The key first: it stays the same, unless somebody took it away.
    const { 'tls.key': key, ...certificates } = tlsFiles(tls)
    for (const [file, text] of Object.entries({ 'tls.key': key ?? '', ...certificates })) await given.write(file, text)
  }
  const tls = await ensure()
  await write(tls)
  let current = tls
  const look = async (): Promise<void> => {
    const next = await ensure()
    if (deepEqual(tlsFiles(next), tlsFiles(current))) return
    await write(next)
    current = next
    onRenewed?.()
  }
  const timer = setInterval(() => void look().catch(onError), LOOK_MS)
  timer.unref()
  releases.push(() => Promise.resolve(clearInterval(timer)))
  return { path: given.path, tls }
}
