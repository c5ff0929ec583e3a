/**
 * Packs a text into an address: compressed (deflate), then in base64url. The length of an unpacked
 * text is limited, since a link may come from anybody.
 */

/** The maximum length of an unpacked text, in bytes. */
export const MOST_TEXT = 4 << 20

export async function pack(text: string): Promise<string> {
  const packed = new Response(through(new TextEncoder().encode(text), streamOf(() => new CompressionStream('deflate-raw'))))
  return toBase64(new Uint8Array(await packed.arrayBuffer())).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The inverse of pack. Throws an Error for a broken link. */
export async function unpack(packed: string): Promise<string> {
  const bytes = fromBase64(packed.replaceAll('-', '+').replaceAll('_', '/'))
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = through(bytes, streamOf(() => new DecompressionStream('deflate-raw'))).getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(() => broken())
    if (done) return decode(chunks)
    length += value.length
    if (length > MOST_TEXT) {
      await reader.cancel()
      throw new Error(`The puzzle in this link is longer than ${MOST_TEXT >> 20} MB.`)
    }
    chunks.push(value)
  }
}

/** Throws an Error in browsers without these streams. */
function streamOf(make: () => CompressionStream | DecompressionStream): CompressionStream | DecompressionStream {
  try {
    return make()
  } catch {
    throw new Error('This browser is too old for links to drawn puzzles. Save the puzzle as a file instead.')
  }
}

function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): ReadableStream<Uint8Array> {
  return new Blob([bytes]).stream().pipeThrough(stream)
}

function decode(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
  } catch {
    return broken()
  }
}

function broken(): never {
  throw new Error('This link is broken: a part of it is missing or was changed.')
}

export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let k = 0; k < bytes.length; k += 0x8000) text += String.fromCharCode(...bytes.subarray(k, k + 0x8000))
  return btoa(text)
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
  } catch {
    return broken()
  }
}
