/** Tables as CSV files. Counts have all their digits; spreadsheets may round long numbers. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map((field) => quoted(String(field))).join(',')}\r\n`).join('')
}

/** Quotes a field with special characters. A blank before a formula keeps spreadsheets from evaluating it. */
function quoted(field: string): string {
  const safe = /^[=+\-@\t]/.test(field) ? ` ${field}` : field
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
