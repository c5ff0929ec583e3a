/** Registers the service worker that caches the page. Where service workers are forbidden, the page needs a network. */
export function keepOffline(): void {
  addEventListener('load', () => void navigator.serviceWorker?.register('offline.js').catch(() => undefined))
}
