export function Look() {
  return <h1>Look</h1>
}
