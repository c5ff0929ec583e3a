/** The messages between the page and the front worker. In headers, names and values alternate. */
export type ToFront =
  | { readonly front: string }
  | { readonly id: number; readonly method: string; readonly url: string; readonly headers: readonly string[]; readonly body: Uint8Array | null }
  | { readonly abort: number }
  | { readonly taken: number; readonly bytes: number } // the page has read bytes of answer `taken`; the front worker waits for this message

export type FromFront =
  | { readonly id: number; readonly status: number; readonly headers: readonly string[] }
  | { readonly id: number; readonly piece: Uint8Array }
  | { readonly id: number; readonly complete: boolean }
