import type { Registrations } from "../../src/ports/registrations/registrations.ts";

/** A function ends after about 30 s, and has the list of the minute before while Parameter Store does not answer. */
const LIMITS = { attempts: 2, requestMillis: 2_000 };

/** The registrations of this stage. The client is loaded with the first request: most ways of access need none. */
export function registrationsOnDemand(stage: string): Pick<Registrations, "list"> {
  let opened: Promise<Registrations> | undefined;
  return {
    list: async (kind) => {
      opened ??= Promise.all([
        import("../../src/adapters/ssm/ssm-client.ts"),
        import("../../src/adapters/ssm/ssm-registrations.ts"),
      ]).then(([{ createSsmClient }, { createSsmRegistrations }]) =>
        createSsmRegistrations(createSsmClient(LIMITS), stage),
      );
      return (await opened).list(kind);
    },
  };
}
