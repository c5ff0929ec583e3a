/**
 * The service worker of the page without a server: all files of a version are kept when it is first
 * opened, and then the page opens without a network. vite.site.config.ts fills in the version and the
 * files. A new version is used when all tabs of the old one are closed, so no page mixes the two: all
 * files but the page itself and its icon have the hash of their content in their names.
 */
/** The names of the caches of this folder of the host: others belong to other pages. */
const prefix = `pavage ${registration.scope} `
const version = prefix + VERSION
const files = FILES
const addresses = new Set(files.map((file) => new URL(file, registration.scope).href))

addEventListener('install', (event) => {
  event.waitUntil(caches.open(version).then((cache) => cache.addAll(files.map((file) => new Request(file, { cache: 'no-cache' })))))
})

// The page of the first visit is claimed: it loads some of its files later, maybe without a network.
addEventListener('activate', (event) => {
  const others = caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith(prefix) && name !== version).map((name) => caches.delete(name))))
  event.waitUntil(others.then(() => clients.claim()))
})

// Other files below this folder belong to other pages.
addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url)
  if (event.request.method !== 'GET' || !addresses.has(origin + pathname)) return
  event.respondWith(caches.open(version).then((cache) => cache.match(event.request, { ignoreSearch: true })).then((kept) => kept ?? fetch(event.request)))
})
