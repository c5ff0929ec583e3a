/** Does nothing, since the page of a server needs no service worker. The page without a server has keep-offline.ts in place of this file. */
export function keepOffline(): void {}
