export function JobView() {
  return <p>todo</p>;
}
