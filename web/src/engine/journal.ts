/**
 * The records that outlive the page, in IndexedDB: jobs, answers, outputs. One page has them at a
 * time: a second page of the same site starts without jobs, and keeps none.
 */
export interface Kept {
  readonly kind: string
  readonly key: string
  readonly bytes: Uint8Array
}

export interface Journal {
  /** The kinds and keys of the records of earlier visits. Their bytes are read one by one: all together may be large. */
  readonly names: readonly (readonly string[])[]
  read(kind: string, key: string): Promise<Uint8Array | undefined>
  keep(record: Kept): void
  drop(kind: string, key: string): void
}

const STORE = 'records'

/** How long a page that is being reloaded may hold the journal, in milliseconds. */
const PATIENCE = 1500

/** Opens the journal; one that keeps nothing if the browser has none, or another page has it. */
export async function openJournal(): Promise<Journal> {
  try {
    await lockForLife()
    const database = await opened()
    const records = (): IDBObjectStore => database.transaction(STORE).objectStore(STORE)
    const write = (): IDBObjectStore => database.transaction(STORE, 'readwrite').objectStore(STORE)
    return {
      names: (await done(records().getAllKeys())) as string[][],
      read: async (kind, key) => (await done(records().get([kind, key]) as IDBRequest<Kept | undefined>))?.bytes,
      keep: (record) => tried(() => write().put(record)),
      drop: (kind, key) => tried(() => write().delete([kind, key])),
    }
  } catch {
    return { names: [], read: async () => undefined, keep: () => undefined, drop: () => undefined }
  }
}

/** Does without a write that the browser refuses: it may have closed the database. */
function tried(write: () => void): void {
  try {
    write()
  } catch {
    // the record is in memory
  }
}

/** Waits for the lock of the journal, and holds it until this worker ends. */
function lockForLife(): Promise<void> {
  return new Promise((held, failed) => {
    navigator.locks.request('pavage-journal', { signal: AbortSignal.timeout(PATIENCE) }, () => {
      held()
      return new Promise(() => undefined)
    }).catch(failed)
  })
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open('pavage', 1)
  request.onupgradeneeded = () => void request.result.createObjectStore(STORE, { keyPath: ['kind', 'key'] })
  return done(request)
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('no database'))
  })
}
