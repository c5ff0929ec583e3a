/** Does nothing: the page of a server needs no service worker. The page without a server has keep-offline.ts instead. */
export function keepOffline(): void {}
