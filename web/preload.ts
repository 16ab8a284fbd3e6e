import { isBackFromIssuer } from "./api/oidc.ts";
import { preloadJob } from "./job/job-requests.ts";
import { jobOfRoute, parseRoute } from "./shell/route.ts";

// Runs before the page's own script: sends the first requests of a Job's view while the view still loads.
const route = parseRoute(location.hash);
if (route.view === "job" && !isBackFromIssuer()) preloadJob(jobOfRoute(route), route.parameters["asOf"]);
