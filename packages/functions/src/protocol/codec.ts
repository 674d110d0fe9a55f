import { fromJson, type JsonValue, toJson } from '@bufbuild/protobuf'
import {
  type RunFunctionRequest as RequestMessage,
  RunFunctionRequestSchema,
  type RunFunctionResponse as ResponseMessage,
  RunFunctionResponseSchema,
} from '../generated/apiextensions/fn/v1/function_runner_pb.ts'
import type { RunFunctionRequest } from './request.ts'
import type { RunFunctionResponse } from './response.ts'

/** Between the protocol's messages and their JSON form. All throw an Error that says which field is wrong. */
export const requestMessage = (request: RunFunctionRequest): RequestMessage =>
  fromJson(RunFunctionRequestSchema, request as unknown as JsonValue)

export const responseMessage = (response: RunFunctionResponse): ResponseMessage =>
  fromJson(RunFunctionResponseSchema, response as unknown as JsonValue)

export const requestOf = (message: RequestMessage): RunFunctionRequest =>
  toJson(RunFunctionRequestSchema, message) as unknown as RunFunctionRequest

export const responseOf = (message: ResponseMessage): RunFunctionResponse =>
  toJson(RunFunctionResponseSchema, message) as unknown as RunFunctionResponse
