import { isBackFromIssuer } from "./api/oidc.ts";
import { preloadAttention } from "./attention/attention-requests.ts";
import { attentionParameters } from "./attention/attention-parameters.ts";
import { preloadJob } from "./job/job-requests.ts";
import { jobOfRoute, parseRoute } from "./shell/route.ts";

// Runs before the page's own script: sends the first requests of a view while the view still loads.
const route = parseRoute(location.hash);
if (!isBackFromIssuer()) {
  if (route.view === "job") preloadJob(jobOfRoute(route), route.parameters["asOf"]);
  if (route.view === "attention") preloadAttention(attentionParameters(route.parameters));
}
