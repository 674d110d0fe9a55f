import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StatusError } from '@weft/api'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { takeOneTimeCode } from './session/one-time-code.ts'
import './style/index.css'

// Before anything else runs: the code must not stay in the address bar.
const code = takeOneTimeCode(window)

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
      staleTime: 30_000,
      // What the server refused it refuses again; only what did not arrive is worth another try.
      retry: (failures, error) =>
        failures < 2 && (!(error instanceof StatusError) || error.code >= 500) && !(error instanceof StatusError && error.code === 501),
    },
  },
})

const root = document.getElementById('root')
if (root !== null)
  createRoot(root).render(
    <QueryClientProvider client={queries}>
      <App code={code} />
    </QueryClientProvider>,
  )
