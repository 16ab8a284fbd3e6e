export function SummaryView() {
  return <p>todo</p>;
}
