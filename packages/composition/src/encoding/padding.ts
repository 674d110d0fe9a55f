/** The message with Merkle–Damgård padding: 0x80, zeros, and the length in bits as a big-endian number in the last bytes of a block. */
export function padMessage(message: Uint8Array, blockSize: 64 | 128): Uint8Array {
  const lengthField = blockSize / 8
  const padded = new Uint8Array(Math.ceil((message.length + 1 + lengthField) / blockSize) * blockSize)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n)
  return padded
}
