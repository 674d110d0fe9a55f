/** The first line that a provider prints says where it listens and what it speaks. */
export interface Handshake {
  readonly protocol: 5 | 6
  /** Of the socket. */
  readonly path: string
}

/** Common to all Terraform providers; without it they say that they are no program for people, and end. */
export const MAGIC_COOKIE = {
  name: 'TF_PLUGIN_MAGIC_COOKIE',
  value: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
}

/** What a program printed is not what a provider prints, or we cannot speak with it. The message says what to do. */
export class HandshakeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'HandshakeError'
  }
}

const LONGEST_QUOTE = 200

/** Throws HandshakeError. The program chooses a version that we do not offer rather than end, so that is for us to see (T5). */
export function parseHandshake(line: string): Handshake {
  const [core, version, network, address, transport] = line.trim().split('|')
  if (address === undefined || core === undefined || !/^\d+$/.test(core))
    throw new HandshakeError(
      `the program is not a Terraform provider: it began with ${JSON.stringify(line.slice(0, LONGEST_QUOTE))} instead of its address`,
    )
  if (core !== '1') throw new HandshakeError(`the provider speaks version ${core} of the plugin handshake; only version 1 is known`)
  if (version !== '5' && version !== '6')
    throw new HandshakeError(`the provider speaks protocol ${version ?? ''}; 5 and 6 are known. Use a newer version of the provider`)
  if (transport !== undefined && transport !== 'grpc')
    throw new HandshakeError(`the provider speaks ${transport}, not gRPC. Use a newer version of the provider`)
  if (network !== 'unix' || !address.startsWith('/'))
    throw new HandshakeError(`the provider listens on ${network ?? 'nothing'}, not on the socket that it was given a place for`)
  return { protocol: version === '5' ? 5 : 6, path: address }
}
