import { crc32, deflateRawSync } from 'node:zlib'

/** A zip of these files; a name may lead anywhere, and a value that begins with `-> ` is a link. */
export function zipOf(files: Readonly<Record<string, string>>): Uint8Array {
  const local: Uint8Array[] = []
  const central: Uint8Array[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const link = text.startsWith('-> ')
    const bytes = Buffer.from(link ? text.slice(3) : text)
    const packed = deflateRawSync(bytes)
    const path = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(path.length, 22)
    local.push(Buffer.from('PK\x03\x04'), common, path, packed)
    const attributes = Buffer.alloc(14)
    attributes.writeUInt32LE((link ? 0o120777 : 0o100755) * 2 ** 16, 6)
    attributes.writeUInt32LE(offset, 10)
    central.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), common, attributes, path)
    offset += 30 + path.length + packed.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(Object.keys(files).length, 4)
  end.writeUInt16LE(Object.keys(files).length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...local, directory, Buffer.from('PK\x05\x06'), end])
}
