/** The columns of a heat map: the day of the month, and the full date for screen readers. */
export function DayHeadings({ days }: { readonly days: readonly string[] }) {
  return days.map((day) => (
    <th key={day} scope="col">
      <span class="only-read">{day}</span>
      <span aria-hidden="true">{day.slice(8)}</span>
    </th>
  ));
}
