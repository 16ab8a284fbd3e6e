/** A share from 0 to 1 as percent. It is truncated, because 99.997 % must not look like 100 %. */
export function percent(share: number): string {
  return `${(Math.floor(share * 10_000) / 100).toFixed(share === 1 ? 0 : 2)} %`;
}
