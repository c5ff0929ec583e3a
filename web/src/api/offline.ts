/** The page from a server needs no service worker. In the page without a server keep-offline.ts stands here. */
export function keepOffline(): void {}
