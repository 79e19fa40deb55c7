// Requests to the HTTP API. Every failure is an `ApiError`, also one where no answer came.

import { store } from '../store.ts';
import type { Failure } from './types.ts';

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | null;
  /** The whole answer: a refusal carries findings, diagnostics or the current digest. */
  readonly body: Failure | null;

  constructor(status: number, code: string, message: string, hint: string | null, body: Failure | null) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.body = body;
  }
  /** Whether the same request may succeed later. */
  get passing() {
    return this.status === 0 || this.status === 503 || this.status === 507 || this.status === 502 || this.status === 429;
  }
}

/** When the server last did not answer, or null while it does. */
export const away = store<Date | null>(null);
/** Whether the server asks for a sign-in. */
export const signedOut = store(false);

let signIns = 0;

/** From now on requests carry another person's cookie. */
export function signedIn() {
  signIns++;
  signedOut.set(false);
}

export type Options = { signal?: AbortSignal; headers?: Record<string, string> };

export async function request<T>(method: string, path: string, body?: unknown, options: Options = {}): Promise<T> {
  // A foreign page cannot send this header, so a cookie alone changes nothing.
  const headers: Record<string, string> = { Accept: 'application/json', 'Soul-Studio': '1', ...options.headers };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const sent = signIns;
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(options.signal ? { signal: options.signal } : {}),
      credentials: 'same-origin',
    });
    text = await response.text();
  } catch (error) {
    if (options.signal?.aborted) throw error;
    away.set((since) => since ?? new Date());
    throw new ApiError(0, 'unreachable', 'the server does not answer', 'is `soul serve` running?', null);
  }
  away.set(null);
  // Refused before the sign-in that has happened since: nothing was done, and the answer is another one now.
  if (response.status === 401 && sent !== signIns) return request(method, path, body, options);
  let parsed: unknown = null;
  try {
    parsed = text === '' ? null : JSON.parse(text);
  } catch {
    throw new ApiError(response.status, 'unreadable_response', 'the response could not be read', null, null);
  }
  if (response.ok) return parsed as T;
  const failure = parsed as Failure | null;
  if (response.status === 401) signedOut.set(true);
  const error = failure?.error;
  throw new ApiError(
    response.status,
    error?.code ?? `http_${response.status}`,
    error?.message ?? response.statusText,
    error?.hint ?? null,
    failure,
  );
}

export const get = <T>(path: string, options?: Options) => request<T>('GET', path, undefined, options);
export const post = <T>(path: string, body: unknown = {}, options?: Options) => request<T>('POST', path, body, options);

/** A path with a query; keys without a value are left out. */
export function url(path: string, query: Record<string, string | number | boolean | null | undefined> = {}): string {
  const parts = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') parts.set(key, String(value));
  }
  const text = parts.toString();
  return text ? `${path}?${text}` : path;
}

export const agentPath = (name: string, rest: string) => `/api/agents/${encodeURIComponent(name)}/${rest}`;
export const soulPath = (id: string, rest = '') =>
  `/api/v1/settings/agent/souls/${encodeURIComponent(id)}${rest && `/${rest}`}`;
