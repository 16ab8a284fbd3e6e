/** A log item of cluster "east" that is told from others by its number; 2,000 bytes. */
export function itemAt(number: number) {
  const key = { pk: "east#20261121", sk: String(number).padStart(10, "0") };
  return { key, bytes: new Uint8Array(2000).fill(number), sha256: String(number), factCount: 1 };
}
