/**
 * The service worker of the page without a server. At the first visit to a version it stores all
 * files of this version; from then on the page opens without a network. vite.site.config.ts fills in
 * the version and the files. A new version is used after all tabs of the old one are closed, so no
 * page mixes files of two versions. All files but the page and its icon have a hash in their names.
 */
/** The prefix of the names of this page's caches: the address of its folder distinguishes it from other pages of the host. */
const prefix = `pavage ${registration.scope} `
const version = prefix + VERSION
const files = FILES
const addresses = new Set(files.map((file) => new URL(file, registration.scope).href))

addEventListener('install', (event) => {
  event.waitUntil(caches.open(version).then((cache) => cache.addAll(files.map((file) => new Request(file, { cache: 'no-cache' })))))
})

// The open page uses this worker from now on: it loads some files later, maybe without a network.
addEventListener('activate', (event) => {
  const others = caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith(prefix) && name !== version).map((name) => caches.delete(name))))
  event.waitUntil(others.then(() => clients.claim()))
})

// Requests for other files, which may belong to other pages, go to the network.
addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url)
  if (event.request.method !== 'GET' || !addresses.has(origin + pathname)) return
  event.respondWith(caches.open(version).then((cache) => cache.match(event.request, { ignoreSearch: true })).then((kept) => kept ?? fetch(event.request)))
})
