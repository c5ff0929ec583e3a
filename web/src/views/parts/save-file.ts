/** Saves a file as a download of the browser. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to read it once the click is over; some begin a little later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
