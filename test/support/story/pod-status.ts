/** An instant of the day on which all of this happens. */
export const second = (text: string): number => Date.parse(`2026-11-21T${text}Z`);

/**
 * What a Pod's status says of a condition, of a container that runs, and of one that has ended; `more` is laid over.
 */
export const condition = (type: string, status: string, lastTransitionTime: string, more = {}) => ({
  type,
  status,
  lastTransitionTime: `2026-11-21T${lastTransitionTime}Z`,
  ...more,
});
export const running = (name: string, startedAt: string, more = {}) => ({
  name,
  state: { running: { startedAt: `2026-11-21T${startedAt}Z` } },
  lastState: {},
  restartCount: 0,
  ready: true,
  ...more,
});
export const terminated = (exitCode: number, startedAt: string, finishedAt: string, more = {}) => ({
  terminated: {
    exitCode,
    reason: exitCode === 0 ? "Completed" : "Error",
    startedAt: `2026-11-21T${startedAt}Z`,
    finishedAt: `2026-11-21T${finishedAt}Z`,
    ...more,
  },
});
