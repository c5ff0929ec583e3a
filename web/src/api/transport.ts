/** How a request of the page reaches a service: over HTTP. In the page without a server local.ts stands here. */
export function request(path: string, init: RequestInit): Promise<Response> {
  return fetch(path, init)
}
