/** An instant of the day of the story. */
export const second = (text: string): number => Date.parse(`2026-11-21T${text}Z`);

/**
 * The parts of a Pod's status for a condition, a running container and a terminated one, with the changes in `more`.
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
