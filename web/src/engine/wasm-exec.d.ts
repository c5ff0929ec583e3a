/** The script of the Go distribution that runs WebAssembly programs: lib/wasm/wasm_exec.js. */
declare module 'wasm_exec' {}

declare class Go {
  importObject: WebAssembly.Imports
  run(instance: WebAssembly.Instance): Promise<void>
}
