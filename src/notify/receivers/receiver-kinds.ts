import { email } from "./email.ts";
import { eventbridge } from "./eventbridge.ts";
import { pagerduty } from "./pagerduty.ts";
import { slack } from "./slack.ts";
import { sns } from "./sns.ts";
import { webhook } from "./webhook.ts";

/** Every kind of receivers, by its key in a rule file. */
export const RECEIVER_KINDS = { webhook, slack, pagerduty, eventbridge, sns, email };
