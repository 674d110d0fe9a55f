import { request } from 'node:https'

export interface CallOptions {
  readonly server: string
  readonly path: string
  readonly ca: string
  readonly cert?: string
  readonly key?: string
  readonly token?: string
  readonly method?: string
  readonly body?: object
}

export interface CallAnswer {
  readonly status: number
  readonly text: string
}

/** One request over a connection of its own. */
export function call({ server, path, ca, cert, key, token, method = 'GET', body }: CallOptions): Promise<CallAnswer> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(body && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const sent = request(
      new URL(path, server),
      { method, ca, ...(cert !== undefined && { cert, key }), headers, agent: false },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (piece: string) => (text += piece))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
        answer.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}
