/** The columns of a heat map: each day's number to see, the whole date to hear. */
export function DayHeadings({ days }: { readonly days: readonly string[] }) {
  return days.map((day) => (
    <th key={day} scope="col">
      <span class="only-read">{day}</span>
      <span aria-hidden="true">{day.slice(8)}</span>
    </th>
  ));
}
