/** A share from 0 to 1 as percent. 99.997 % must not read as all of them, so it is cut, not rounded. */
export function percent(share: number): string {
  return `${(Math.floor(share * 10_000) / 100).toFixed(share === 1 ? 0 : 2)} %`;
}
