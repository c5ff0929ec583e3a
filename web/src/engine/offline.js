/**
 * The service worker of the page without a server: all files of a version are kept when it is first
 * opened, and then the page opens without a network. vite.site.config.ts fills in the version and the
 * files. A new version is used when all tabs of the old one are closed, so no page mixes the two.
 */
/** The names of the caches of this folder of the host: others belong to other pages. */
const prefix = `pavage ${registration.scope} `
const version = prefix + VERSION
const files = FILES

addEventListener('install', (event) => {
  event.waitUntil(caches.open(version).then((cache) => cache.addAll(files.map((file) => new Request(file, { cache: 'no-cache' })))))
})

addEventListener('activate', (event) => {
  const others = caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith(prefix) && name !== version).map((name) => caches.delete(name))))
  event.waitUntil(others.then(() => clients.claim()))
})

addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return
  event.respondWith(caches.open(version).then((cache) => cache.match(event.request, { ignoreSearch: true })).then((kept) => kept ?? fetch(event.request)))
})
