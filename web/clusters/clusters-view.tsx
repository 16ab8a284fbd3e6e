export function ClustersView() {
  return <p>todo</p>;
}
