export { openApiV2Handler } from './openapi-v2.ts'
export { openApiV3Handler, type OpenApiOptions } from './openapi-v3.ts'
