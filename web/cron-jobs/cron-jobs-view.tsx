export function CronJobsView() {
  return <p>todo</p>;
}
