/** Writes a table as a CSV file. Counts have all their digits, which spreadsheets may round. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map((field) => quoted(String(field))).join(',')}\r\n`).join('')
}

/** Quotes a field with special characters. Puts a blank before a formula, so that spreadsheets do not evaluate it. */
function quoted(field: string): string {
  const safe = /^[=+\-@\t]/.test(field) ? ` ${field}` : field
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
