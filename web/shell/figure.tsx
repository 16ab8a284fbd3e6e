/** One large number with its name. */
export function Figure({
  name,
  value,
  remark,
}: {
  readonly name: string;
  readonly value: string;
  readonly remark?: string;
}) {
  return (
    <div class="figure">
      <dt class="quiet">{name}</dt>
      <dd>
        <b>{value}</b>
        <span class="quiet small">{remark}</span>
      </dd>
    </div>
  );
}
