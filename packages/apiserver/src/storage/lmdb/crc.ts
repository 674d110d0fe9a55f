const TABLE: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1
  return crc
})

/** As `crc32` of zlib, of the bytes from `start` to `end`, after those whose sum is `seed`. For a few of them, of which there are very many: a call of zlib takes longer than their sum. */
export function crcOf(bytes: Uint8Array, start: number, end: number, seed = 0): number {
  let crc = ~seed
  for (let i = start; i < end; i++) crc = (TABLE[(crc ^ (bytes[i] as number)) & 0xff] as number) ^ (crc >>> 8)
  return ~crc >>> 0
}
