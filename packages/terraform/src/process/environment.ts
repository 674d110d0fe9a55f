import { MAGIC_COOKIE } from './handshake.ts'

/**
 * What every provider may see of our environment: where programs and certificates are, and how the network is reached. Never more: providers
 * take credentials and endpoints from the environment, and would act as us, or elsewhere, without anybody having said so.
 */
const INHERITED = [
  'PATH',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'GOMEMLIMIT',
  'TZ',
  'LANG',
]

/** They are how we speak with the program, and where it may write: nobody else sets them. */
const OURS = new Set([
  MAGIC_COOKIE.name,
  'PLUGIN_PROTOCOL_VERSIONS',
  'PLUGIN_UNIX_SOCKET_DIR',
  'PLUGIN_CLIENT_CERT',
  'PLUGIN_MULTIPLEX_GRPC',
  'TF_REATTACH_PROVIDERS',
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
])

export interface ProcessPlaces {
  readonly sockets: string
  readonly home: string
  readonly temporary: string
}

/** The whole environment of a provider's process. `given` is what its configuration names; that which is ours alone is left out of it. */
export function environmentOf(
  places: ProcessPlaces,
  given: Readonly<Record<string, string>>,
  inherited: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const passed = INHERITED.flatMap((name) => {
    const value = inherited[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(passed),
    HOME: places.home,
    // Without it the SDKs write each call to standard error, which doubles the time that a plan takes (T14).
    TF_LOG_SDK: 'ERROR',
    // Below that, many write every request to their system and its answer, before anybody could know what of it is secret (T15).
    TF_LOG_PROVIDER: 'INFO',
    ...Object.fromEntries(Object.entries(given).filter(([name]) => !OURS.has(name))),
    TMPDIR: places.temporary,
    [MAGIC_COOKIE.name]: MAGIC_COOKIE.value,
    PLUGIN_PROTOCOL_VERSIONS: '5,6',
    PLUGIN_UNIX_SOCKET_DIR: places.sockets,
  }
}
