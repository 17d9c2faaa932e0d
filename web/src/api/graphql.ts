// GraphQL over HTTP.
import type { ErrorCode } from './schema.gen'
import { noteStatus } from './signin'

export const GRAPHQL_PATH = 'graphql'

/** An error that the server answered, or that prevented an answer. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly code: ErrorCode | 'OFFLINE',
    /** the field of the input that is wrong; "": none */
    readonly field = '',
  ) {
    super(message)
  }
}

interface GraphQLResponse<T> {
  data?: T
  errors?: { message: string; extensions?: { code?: ErrorCode; field?: string } }[]
}

/** Sends a request. A partial answer counts as an error: a panel shows everything or an error. */
export async function request<T, V>(query: string, variables: V, signal?: AbortSignal): Promise<T> {
  let response: Response
  try {
    response = await fetch(GRAPHQL_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json, application/json' },
      body: JSON.stringify({ query, variables }),
      ...(signal ? { signal } : {}),
    })
  } catch (e) {
    if (e instanceof DOMException && e.name === 'AbortError') throw e
    throw new ApiError('The server does not answer.', 'OFFLINE')
  }
  noteStatus(response.status)
  let result: GraphQLResponse<T>
  try {
    result = (await response.json()) as GraphQLResponse<T>
  } catch {
    throw new ApiError(`The server answered with status ${response.status}.`, 'UNAVAILABLE')
  }
  const error = result.errors?.[0]
  if (error) throw new ApiError(error.message, error.extensions?.code ?? 'INTERNAL', error.extensions?.field)
  if (!result.data) throw new ApiError(`The server answered with status ${response.status}.`, 'UNAVAILABLE')
  return result.data
}

/** The value, or an error if a root field is null although the answer has no error. */
export function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new ApiError('The server returned no data.', 'UNAVAILABLE')
  return value
}
