import { linkTo } from "../shell/route.ts";
import { ClusterText } from "../text/cluster-text.tsx";
import { number } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { freshnessText, type Tile, tileText } from "./fleet.ts";

/** So many clusters fit on a screen with long names. */
const FEW = 60;

/** A small tile for each cluster. Each opens the Jobs of its cluster. */
export function FleetGrid({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <ul class={tiles.length > FEW ? "fleet" : "fleet few"} aria-label="Clusters, silent ones first">
      {tiles.map((tile) => (
        <li key={tile.name}>
          <ClusterTile tile={tile} />
        </li>
      ))}
    </ul>
  );
}

function ClusterTile({ tile }: { readonly tile: Tile }) {
  const { name, freshness, gaps, failed = 0, blind } = tile;
  const tone = freshness.kind === "notReporting" ? "silent" : gaps > 0 ? "gaps" : freshness.kind;
  const facts = tileText(tile);
  return (
    <a
      class={`tile t-${tone}`}
      href={linkTo("jobs", [], { cluster: name })}
      title={`${shownText(name)}: ${freshnessText(freshness)}, ${facts}`}
    >
      <b>
        <ClusterText text={name} />
      </b>
      <span class="tile-facts">
        <span>{freshnessText(freshness)}</span>
        <span class="only-read">, {facts}</span>
        {failed > 0 ? (
          <span class="tile-failed" aria-hidden="true">
            ✕{number(failed)}
          </span>
        ) : null}
      </span>
      <span class="strip" aria-hidden="true">
        {blind.map(({ from, to }) => (
          <span
            key={from}
            class="b-gap"
            style={{ left: `${from * 100}%`, width: `${Math.max(3, (to - from) * 100)}%` }}
          />
        ))}
      </span>
    </a>
  );
}
