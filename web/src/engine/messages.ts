/** The messages between the page and the front worker. Headers are names and values in turn. */
export type ToFront =
  | { readonly front: string }
  | { readonly id: number; readonly method: string; readonly url: string; readonly headers: readonly string[]; readonly body: Uint8Array | null }
  | { readonly abort: number }
  | { readonly taken: number; readonly bytes: number } // of the answer with this id: the front waits for it

export type FromFront =
  | { readonly id: number; readonly status: number; readonly headers: readonly string[] }
  | { readonly id: number; readonly piece: Uint8Array }
  | { readonly id: number; readonly complete: boolean }
