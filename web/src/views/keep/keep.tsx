export function Keep() {
  return <h1>Keep</h1>
}
