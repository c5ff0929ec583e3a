/** Keeps the files of the page for when there is no network. Where service workers are forbidden, it needs one. */
export function keepOffline(): void {
  addEventListener('load', () => void navigator.serviceWorker?.register('offline.js').catch(() => undefined))
}
