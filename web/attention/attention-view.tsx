export function AttentionView() {
  return <p>todo</p>;
}
