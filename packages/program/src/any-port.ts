/** Ports of all addresses as most programs ask for them, or every port. */
export type AnyPort = 'usual' | 'every'

/**
 * A filter of system calls for a program that listens at 8080 or 9443 whatever it is told, where somebody else does already. It makes the call that asks
 * for the port do nothing and succeed; a socket that then listens without having a port is given a free one by the system. Everything else is as
 * before: who it can reach, and what `localhost` is.
 *
 * Filters see lengths and no addresses. That of an IPv6 address tells enough: programs that ask for a port of all addresses (`:8080`) use it, those that
 * ask for one of this machine's own (`127.0.0.1:8080`) do not, and must not be given one of all. Those that ask for `0.0.0.0:8080` cannot be told from them: with
 * `every`, which is for programs that were seen to, all are given one of all addresses. Undefined for machines whose calls are not known here.
 */
export function anyPortFilter(which: AnyPort, arch: string = process.arch): Uint8Array | undefined {
  const machine = { x64: { audit: 0xc000003e, bind: 49 }, arm64: { audit: 0xc00000b7, bind: 200 } }[arch]
  if (machine === undefined) return undefined
  const [LOAD, SKIP_UNLESS, ANSWER] = [0x20, 0x15, 0x06]
  const [NUMBER, MACHINE, THIRD_ARGUMENT] = [0, 4, 32]
  /** Of `struct sockaddr_in6` and `struct sockaddr_in`. */
  const [LONG, SHORT] = [28, 16]
  const [SUCCEED_WITHOUT, ALLOW] = [0x00050000, 0x7fff0000]
  const lengths = which === 'every' ? [SHORT, LONG] : [LONG]
  /** Code, how many to skip when it does not hold, value. */
  const program: readonly (readonly [number, number, number])[] = [
    [LOAD, 0, MACHINE],
    [SKIP_UNLESS, 3 + 2 * lengths.length, machine.audit],
    [LOAD, 0, NUMBER],
    [SKIP_UNLESS, 1 + 2 * lengths.length, machine.bind],
    [LOAD, 0, THIRD_ARGUMENT],
    ...lengths.flatMap((length) => [[SKIP_UNLESS, 1, length] as const, [ANSWER, 0, SUCCEED_WITHOUT] as const]),
    [ANSWER, 0, ALLOW],
  ]
  const bytes = Buffer.alloc(program.length * 8)
  for (const [at, [code, skipped, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8)
    bytes[at * 8 + 3] = skipped
    bytes.writeUInt32LE(value, at * 8 + 4)
  }
  return bytes
}
