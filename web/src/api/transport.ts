/** Sends a request to the service over HTTP. The page without a server has local.ts in place of this file. */
export function request(path: string, init: RequestInit): Promise<Response> {
  return fetch(path, init)
}
