import { alertmanager } from "./alertmanager.ts";
import { email } from "./email.ts";
import { eventbridge } from "./eventbridge.ts";
import { heartbeat } from "./heartbeat.ts";
import { otlp } from "./otlp.ts";
import { pagerduty } from "./pagerduty.ts";
import { slack } from "./slack.ts";
import { smtp } from "./smtp.ts";
import { sns } from "./sns.ts";
import { teams } from "./teams.ts";
import { webhook } from "./webhook.ts";

/** Every kind of receivers, by its key in a rule file. */
export const RECEIVER_KINDS = {
  webhook,
  slack,
  teams,
  pagerduty,
  alertmanager,
  heartbeat,
  smtp,
  eventbridge,
  sns,
  email,
  otlp,
};
