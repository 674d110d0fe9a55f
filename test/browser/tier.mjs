// The browser that this machine can have: Chromium as Debian packages it, installed where we may. Run directly, prints it.
import { execFileSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { isProgram, whyNot } from '../debian.mjs'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable']

/** @returns {{path: string} | {skipped: string}} */
export function browserTier() {
  const found = findChromium()
  if (found !== undefined) return { path: found }
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return { skipped: 'no Chromium, and only root can install one: apt-get install chromium, or set WEFT_CHROMIUM' }
  const apt = (...args) =>
    execFileSync('apt-get', args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  try {
    apt('update', '-qq')
    apt('install', '-y', '-qq', '--no-install-recommends', 'chromium')
  } catch (error) {
    return { skipped: `no Chromium, and it cannot be installed: ${whyNot(error)}` }
  }
  const installed = findChromium()
  return installed === undefined ? { skipped: 'apt installed no Chromium where we look for it' } : { path: installed }
}

const findChromium = () => [process.env.WEFT_CHROMIUM, ...PLACES].find(isProgram)

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(JSON.stringify(browserTier()))
