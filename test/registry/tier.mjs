// The registry that this machine can have: Debian's docker-registry, installed or unpacked into the cache without installing it. Run
// directly, prints it.
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isProgram, unpackedProgram } from '../debian.mjs'

/** @returns {Promise<{path: string} | {skipped: string}>} */
export async function registryTier() {
  const installed = [
    process.env.WEFT_REGISTRY,
    ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'docker-registry')),
  ].find(isProgram)
  if (installed !== undefined) return { path: installed }
  const unpacked = await unpackedProgram('debian-docker-registry', { package: 'docker-registry', program: 'docker-registry' })
  return 'path' in unpacked ? unpacked : { skipped: `no docker-registry, and it cannot be fetched: ${unpacked.skipped}` }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(JSON.stringify(await registryTier()))
