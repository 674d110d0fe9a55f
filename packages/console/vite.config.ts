import react from '@vitejs/plugin-react'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { CSP_NONCE_PLACEHOLDER } from './src/contract.ts'

const SHARED =
  /console\/src\/(?:contract\.ts|kinds\/)|console\/src\/app\/(?:api|kinds|live|objects|parts|routing|schema|session)\/|packages\/(?:api|composition)\/src\/|node_modules\/(?:react|react-dom|scheduler|@tanstack)\//

/** Builds the app; the console's server serves the result. `WEFT_CONSOLE` is a running console, for `vite` as a development server. */
export default defineConfig({
  root: dirname(fileURLToPath(import.meta.url)),
  plugins: [react()],
  html: { cspNonce: CSP_NONCE_PLACEHOLDER },
  build: {
    target: 'es2022',
    // A data: URL would need a weaker Content-Security-Policy.
    assetsInlineLimit: 0,
    emptyOutDir: true,
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    // What every page needs is one file: by itself it would become one for each set of pages that share something.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', test: SHARED }] } } },
  },
  server: {
    proxy: Object.fromEntries(
      ['/console', '/k8s', '/docs'].map((path) => [path, { target: process.env['WEFT_CONSOLE'] ?? 'http://127.0.0.1:6480' }]),
    ),
  },
})
