#!/usr/bin/env node
// Runs the simulator from source: it is a tool for demos and tests, not part of the bundle that users install.
import { register } from 'tsx/esm/api'

register()
const { main } = await import('../src/simulator/main.ts')
try {
  await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
