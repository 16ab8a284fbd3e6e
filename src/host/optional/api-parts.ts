import type { Route } from "../../http/contract/route.ts";
import type { OptionalApi } from "../../http/optional-api.ts";
import { evidenceRoute } from "../../http/routes/evidence-route.ts";
import { kubernetesApi } from "../../http/kubectl/kubernetes-api.ts";
import { mcpApi } from "../../http/mcp/mcp-api.ts";

/** What this build adds to the routes of the API. */
export const API_PARTS: { readonly routes: readonly Route[]; readonly apis: readonly OptionalApi[] } = {
  routes: [evidenceRoute],
  apis: [kubernetesApi, mcpApi],
};
