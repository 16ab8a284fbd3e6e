/** 0 to `count` - 1 in a fixed order that looks random. */
export function shuffled(count: number): readonly number[] {
  const numbers = Array.from({ length: count }, (_, number) => number);
  let state = 1;
  for (let last = count - 1; last > 0; last -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (last + 1));
    [numbers[last], numbers[other]] = [numbers[other] ?? 0, numbers[last] ?? 0];
  }
  return numbers;
}
