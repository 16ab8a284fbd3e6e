import type { CoveredBucket } from "./coverage.ts";
import { useId, useState } from "preact/hooks";
import { goTo } from "../shell/location.ts";
import { linkTo, parseRoute } from "../shell/route.ts";
import { bucketText } from "./bucket.ts";
import { Chart } from "./chart.tsx";
import { coverageText } from "./coverage.ts";
import { Patterns, patternOf } from "./patterns.tsx";
import { type PictureData, type Series, valueText } from "./picture-data.ts";

export interface PictureProps {
  readonly title: string;
  /** What the picture shows, in one sentence. */
  readonly caption: string;
  readonly data: PictureData;
  /** Within a panel that has the heading. @default false */
  readonly isWithin?: boolean;
  /** The parameters of the list of Jobs behind a bucket. */
  readonly jobsOf: (bucket: CoveredBucket) => Readonly<Record<string, string>>;
}

/** A picture with its sentence, its legend, and a table with the same values on request. */
export function Picture({ title, caption, data, isWithin = false, jobsOf }: PictureProps) {
  const id = useId();
  const linkOf = (bucket: CoveredBucket): string => linkTo("jobs", [], jobsOf(bucket));
  const open = (index: number): void => {
    const bucket = data.buckets[index];
    if (bucket !== undefined) goTo(parseRoute(linkOf(bucket)));
  };
  return (
    <figure class={isWithin ? "picture" : "picture panel"} aria-label={title}>
      {isWithin ? null : (
        <header>
          <h2>{title}</h2>
          <span class="quiet">by {data.unit}, UTC</span>
        </header>
      )}
      <figcaption>{caption}</figcaption>
      <Chart data={data} label={`${title} by ${data.unit}. ${caption} The table has the values.`} onOpen={open} />
      <Legend data={data} id={id} />
      <Values title={title} data={data} linkOf={linkOf} />
    </figure>
  );
}

/** A series, or a mark. Lines have their names at their ends. */
function Legend({
  data: { form, series, buckets, reference },
  id,
}: {
  readonly data: PictureData;
  readonly id: string;
}) {
  const has = (kind: CoveredBucket["coverage"]["kind"]): boolean =>
    buckets.some(({ coverage }) => coverage.kind === kind);
  return (
    <div class="legend">
      {form === "bars" && series.length > 1
        ? series.map((one) => <SeriesKey key={one.look} series={one} id={id} />)
        : null}
      {reference === undefined ? null : (
        <span>
          <span class={reference.from === reference.to ? "swatch b-level" : "swatch b-band"} /> {reference.name}
        </span>
      )}
      {has("unobserved") ? (
        <span>
          <span class="swatch b-gap" /> not observed
        </span>
      ) : null}
      {has("partly") ? (
        <span>
          <span class="swatch b-gap b-part" /> partly observed
        </span>
      ) : null}
      {buckets.some(({ isCurrent }) => isCurrent) ? (
        <span>
          <span class="swatch b-current" /> not over yet
        </span>
      ) : null}
    </div>
  );
}

function SeriesKey({ series: { look, name }, id }: { readonly series: Series; readonly id: string }) {
  const pattern = patternOf(look);
  return (
    <span>
      <svg class="swatch" width="12" height="12" aria-hidden="true">
        <Patterns id={`${id}-${look}`} />
        <rect class={`fill-${look}`} width="12" height="12" />
        {pattern === undefined ? null : <rect fill={`url(#${id}-${look}-${pattern})`} width="12" height="12" />}
      </svg>
      {name}
    </span>
  );
}

interface ValuesProps {
  readonly title: string;
  readonly data: PictureData;
  readonly linkOf: (bucket: CoveredBucket) => string;
}

/** The values as a table, drawn only while it is open. Each time links to its Jobs. */
function Values({ title, data, linkOf }: ValuesProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Table: {title}</summary>
      {isOpen ? (
        // A region that scrolls must be reachable by keyboard; its links are.
        <div class="scroll">
          <table class="comparison">
            <caption class="only-read">
              {title} by {data.unit}, UTC
            </caption>
            <thead>
              <tr>
                <th scope="col">{data.unit === "day" ? "Day" : "Hour"} (UTC)</th>
                {data.series.map(({ look, name }) => (
                  <th key={look} scope="col">
                    {name}
                  </th>
                ))}
                <th scope="col">Observed</th>
              </tr>
            </thead>
            <tbody>
              {data.buckets.map((bucket, index) => (
                <ValueRow key={bucket.at} data={data} index={index} bucket={bucket} link={linkOf(bucket)} />
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </details>
  );
}

interface ValueRowProps {
  readonly data: PictureData;
  readonly index: number;
  readonly bucket: CoveredBucket;
  readonly link: string;
}

function ValueRow({ data: { series, measure, unit }, index, bucket, link }: ValueRowProps) {
  const remark = [coverageText(bucket.coverage) ?? "yes", ...(bucket.isCurrent ? ["not over yet"] : [])].join(", ");
  return (
    <tr>
      <th scope="row">
        <a href={link}>{bucketText(bucket.at, unit)}</a>
      </th>
      {series.map(({ look, values }) => {
        const value = values[index];
        return <td key={look}>{value === undefined ? "–" : valueText(value, measure)}</td>;
      })}
      <td>{remark}</td>
    </tr>
  );
}
