export { decodeBody, encodeBody, isProtobufBody, PROTOBUF_MEDIA_TYPE, readWatchEvent } from './body.ts'
export { decodeMessage } from './decode.ts'
export { encodeMessage } from './encode.ts'
export { asField, inEnvelope, watchFrame } from './envelope.ts'
export { WireReader } from './wire-reader.ts'

export { encodeOpenApiV2 } from './openapi-v2.ts'
