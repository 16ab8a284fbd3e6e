import { describe, expect, it } from "vitest";
import { MERGED_ROUTES } from "../../src/cells/merged-routes.ts";
import { ROUTES } from "../../src/http/routes/routes.ts";

/** Routes that an API over cells answers for its own stage. Prometheus scrapes each cell. */
const OF_THE_STAGE: ReadonlySet<string> = new Set(["/v1/healthz", "/v1/readyz", "/v1/metrics", "/metrics"]);

describe("every route of the API", () => {
  it.each(ROUTES.map(({ template }) => template))(
    "names a cluster, is answered by all cells, or is about the server: %s",
    (template) => {
      const isRouted = template.startsWith("/v1/clusters/{cluster}/");
      const isMerged = MERGED_ROUTES.some(({ route }) => route.template === template);
      expect([isRouted, isMerged, OF_THE_STAGE.has(template)].filter(Boolean)).toHaveLength(1);
    },
  );
});
