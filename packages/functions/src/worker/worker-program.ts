import { MODULE_GLOBAL } from './function-module.ts'

/** What a worker is told first: what it runs. */
export interface WorkerModule {
  readonly prelude: string
  readonly code: string
  readonly file: string
}

/** What it answers to `{ request }`, which is JSON: the response as JSON, or why there is none. */
export type WorkerAnswer = { readonly response: string; readonly log: readonly string[] } | { readonly problem: string }

/** Lines that a function may say in one call, and how long each may be. */
const LOG_LINES = 100
const LOG_LENGTH = 1_000

/**
 * Inside the context: nothing but the language is there, and text is all that comes in and goes out, so that no object of the worker's own is within
 * reach.
 */
export const WORKER_PRELUDE: string = `
delete globalThis.SharedArrayBuffer; delete globalThis.Atomics; delete globalThis.WebAssembly;
var __weft = (() => {
  const { parse, stringify } = JSON
  const { isFinite } = Number
  // JSON would say null instead, without a word.
  const finite = (key, value) => {
    if (typeof value === 'number' && !isFinite(value)) throw new Error('it answered ' + value + ' as "' + key + '", which is no number that an object can hold')
    return value
  }
  let log = []
  const text = (value) => { try { return typeof value === 'string' ? value : stringify(value) ?? String(value) } catch { return String(value) } }
  const say = (...values) => { if (log.length < ${LOG_LINES}) log.push(values.map(text).join(' ').slice(0, ${LOG_LENGTH})) }
  globalThis.console = Object.freeze({ log: say, info: say, warn: say, error: say, debug: say })
  // Not of the language, and yet everywhere: text as UTF-8, whatever is no UTF-8 as U+FFFD.
  globalThis.TextEncoder = class TextEncoder {
    encode(text = '') {
      return Uint8Array.from(unescape(encodeURIComponent(String(text).toWellFormed())), (char) => char.charCodeAt(0))
    }
  }
  globalThis.TextDecoder = class TextDecoder {
    decode(bytes = []) {
      let text = ''
      for (let i = 0; i < bytes.length; ) {
        const first = bytes[i]
        const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
        let escaped = ''
        for (let k = 0; k < length; k++) escaped += '%' + (bytes[i + k] ?? 0).toString(16).padStart(2, '0')
        try { text += length === 0 ? '\\ufffd' : decodeURIComponent(escaped); i += length || 1 } catch { text += '\\ufffd'; i++ }
      }
      return text
    }
  }
  return async (request) => {
    log = []
    const run = ${MODULE_GLOBAL}.default
    if (typeof run !== 'function') throw new Error('it exports no function: write \`export default defineFunction(...)\`')
    const answer = await run(parse(request))
    const response = stringify(answer)
    if (response === undefined) throw new Error('it answered nothing')
    if (response.includes('null')) stringify(answer, finite)
    return stringify({ response, log })
  }
})()`

/**
 * What a worker runs: plain JavaScript in a text, so that it needs no file of its own wherever Weft is installed. The module is evaluated in a context
 * without anything of Node's. A thread beside it waits for the end of the pipe that Weft holds: when Weft is gone, so is the worker, even one that hangs.
 */
export const WORKER_PROGRAM: string = `
const vm = require('node:vm')
const { Worker } = require('node:worker_threads')
new Worker("try { require('node:fs').readSync(0, Buffer.alloc(1)) } catch {} process.kill(process.pid, 'SIGKILL')", { eval: true }).unref()
const describe = (error) => { try { return String((error && error.stack) || error).slice(0, 2000) } catch { return 'something that cannot be printed' } }
const send = process.send.bind(process)
let run, broken
process.on('uncaughtException', (error) => send({ problem: describe(error) }, () => process.exit(1)))
process.on('message', ({ module, request }) => {
  if (module !== undefined) {
    try {
      const context = vm.createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } })
      vm.runInContext(module.prelude, context, { filename: 'weft' })
      vm.runInContext(module.code, context, { filename: module.file })
      run = vm.runInContext('__weft', context)
    } catch (error) { broken = describe(error) }
  }
  if (request === undefined) return
  if (broken !== undefined) return send({ problem: broken })
  run(request).then((text) => send(JSON.parse(text)), (error) => send({ problem: describe(error) }))
})
`
