import { connect } from 'node:tls'
import { messageOf, SYSTEM_NAMESPACE } from '@weft/api'

const HOST = '127.0.0.1'
/** What a Service of theirs would say. */
export const STANDARD_PORT = 9443
const SOON_MS = 100
const LATE_MS = 2_000
/** After so many looks it is slow, or never will. */
const SOON_LOOKS = 300
/** One look in so many is at all its ports, which takes a look at all processes. */
const OTHERS_EVERY = 10
const PATIENCE_MS = 5_000

export interface WebhookPlaces {
  /** Where it was told to listen. */
  readonly likely: readonly number[]
  /** Where it does listen, whatever for: it need not heed what it is told. Nobody else's ports are tried, who would not know what to make of it. */
  found(): Promise<readonly number[]>
}

/** Where the programs of packages answer what the API server asks them: webhooks that admit and convert. */
export interface WebhookPorts {
  /** The address that a Service would have; undefined when it is no package's. Throws in words while its program does not listen. */
  resolve(service: { readonly namespace: string; readonly name: string }): { readonly host: string; readonly port: number } | undefined
  /** A program is being started that will listen somewhere, and is known by a certificate of this authority. */
  look(packageName: string, where: WebhookPlaces, ca: string): void
  forget(packageName: string): void
}

interface Place {
  port: number | undefined
  readonly abort: AbortController
}

export function webhookPorts(): WebhookPorts {
  const places = new Map<string, Place>()
  const forget = (packageName: string): void => {
    places.get(packageName)?.abort.abort()
    places.delete(packageName)
  }
  return {
    resolve({ namespace, name }) {
      const place = namespace === SYSTEM_NAMESPACE ? places.get(name) : undefined
      if (place === undefined) return undefined
      if (place.port === undefined)
        throw new Error(`the program of Provider ${name} does not listen for its webhooks yet: kubectl get pkgrev shows its state`)
      return { host: HOST, port: place.port }
    },
    look(packageName, { likely, found }, ca) {
      forget(packageName)
      const place: Place = { port: undefined, abort: new AbortController() }
      places.set(packageName, place)
      const { signal } = place.abort
      let looks = 0
      const again = async (): Promise<void> => {
        if (signal.aborted) return
        const others = looks % OTHERS_EVERY === OTHERS_EVERY - 1 ? await found() : []
        for (const port of [...likely, ...others]) if (place.port === undefined && (await answers(port, packageName, ca))) place.port = port
        if (place.port !== undefined || signal.aborted) return
        setTimeout(() => void again().catch(messageOf), ++looks < SOON_LOOKS ? SOON_MS : LATE_MS).unref()
      }
      void again().catch(messageOf)
    },
    forget,
  }
}

/** Does this package's program, and no other, listen there? It is known by its certificate. */
export const answers = (port: number, packageName: string, ca: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: HOST, port, ca, servername: `${packageName}.${SYSTEM_NAMESPACE}.svc`, timeout: PATIENCE_MS }, () => {
      resolve(socket.authorized)
      // In order: servers log whatever ends in the middle of a greeting.
      socket.end()
    })
    const no = (): void => {
      resolve(false)
      socket.destroy()
    }
    socket.on('error', no).once('timeout', no)
  })
