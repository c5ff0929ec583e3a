/**
 * The journal stores jobs, answers and outputs in IndexedDB, so that they outlive the page. Only one
 * tab at a time uses it. Another tab of the same site begins without jobs, and keeps its changes in
 * memory until the journal is free:
 *
 *   first tab    lock ── names of the records ── write each change
 *   second tab   wait ── PATIENCE ── no records, changes wait ── lock ── write them
 */
export interface Kept {
  readonly kind: string
  readonly key: string
  readonly bytes: Uint8Array
}

export interface Journal {
  /** The kind and the key of each record of earlier visits. read returns the bytes of one record. */
  readonly names: readonly (readonly string[])[]
  read(kind: string, key: string): Promise<Uint8Array | undefined>
  keep(record: Kept): void
  drop(kind: string, key: string): void
}

/** The message of the worker to the page: why the journal saves nothing; '' if it saves. */
export interface FromJournal {
  readonly unsaved: string
}

const OTHER_TAB = 'Another tab of this page is open, and only that tab lists the saved jobs. Jobs of this tab are saved once the other tab is closed.'
const NO_STORE = isSecureContext
  ? 'This browser stores nothing for this page: jobs are lost when the page is closed.'
  : 'Jobs are lost when the page is closed: browsers save them only for addresses that begin with https.'
const FULL = 'The storage of the browser for this page is full: the newest jobs are not saved.'

const STORE = 'records'

/** How long a page that is being reloaded may hold the journal, in milliseconds. */
const PATIENCE = 1500

/** Opens the journal. It has no records if the browser has no database, or if another tab uses the journal. */
export async function openJournal(): Promise<Journal> {
  const changes = new Changes()
  const keep = (record: Kept): void => changes.add(record, (records) => records.put(record))
  const drop = (kind: string, key: string): void => changes.add({ kind, key }, (records) => records.delete([kind, key]))
  try {
    const lock = lockForLife()
    const opening = lock.then(opened)
    opening.then((database) => changes.writeTo(database), () => changes.forget())
    const first = await Promise.race([lock.then(() => true), new Promise<false>((late) => setTimeout(late, PATIENCE, false))])
    if (first) return { ...(await recordsOf(await opening)), keep, drop }
    tell(OTHER_TAB)
  } catch {
    changes.forget()
  }
  return { names: [], read: async () => undefined, keep, drop }
}

type Change = (records: IDBObjectStore) => IDBRequest

/** Changes of records. They wait for a database; from then on each change is written at once. */
class Changes {
  /** The last change of each record, before there is a database. */
  private readonly waiting = new Map<string, Change>()
  private write = (name: string, change: Change): void => void this.waiting.set(name, change)

  add({ kind, key }: Omit<Kept, 'bytes'>, change: Change): void {
    this.write(`${kind} ${key}`, change)
  }

  writeTo(database: IDBDatabase): void {
    database.onclose = () => this.forget()
    this.write = (_, change) => {
      try {
        const transaction = database.transaction(STORE, 'readwrite')
        transaction.onabort = () => tell(transaction.error?.name === 'QuotaExceededError' ? FULL : NO_STORE)
        change(transaction.objectStore(STORE))
      } catch {
        this.forget() // the browser has closed the database
      }
    }
    tell('')
    for (const [name, change] of this.waiting) this.write(name, change)
    this.waiting.clear()
  }

  /** Drops all changes, since there will be no database. */
  forget(): void {
    this.waiting.clear()
    this.write = () => undefined
    tell(NO_STORE)
  }
}

function tell(unsaved: string): void {
  const page = globalThis as unknown as { postMessage(message: FromJournal): void }
  page.postMessage({ unsaved })
}

/** Waits for the lock of the journal, and holds it until this worker ends. */
function lockForLife(): Promise<void> {
  return new Promise((held, failed) => {
    navigator.locks.request('pavage-journal', () => {
      held()
      return new Promise(() => undefined)
    }).catch(failed)
  })
}

async function recordsOf(database: IDBDatabase): Promise<Pick<Journal, 'names' | 'read'>> {
  const records = (): IDBObjectStore => database.transaction(STORE).objectStore(STORE)
  return {
    names: (await done(records().getAllKeys())) as string[][],
    read: async (kind, key) => (await done(records().get([kind, key]) as IDBRequest<Kept | undefined>))?.bytes,
  }
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
