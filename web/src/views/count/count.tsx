export function Count() {
  return <h1>Count</h1>
}
