export function Draw() {
  return <h1>Draw</h1>
}
